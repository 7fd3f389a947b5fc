extension URLReference {
  /// The canonical form of an address that is written as nearly all are: `https://`, a host in lower
  /// case without user or port, a path without dot segments, visible ASCII. Nil for any other, which
  /// `canonical` takes apart at ten times the cost.
  static func canonicalOfPlain(_ url: String) -> String? {
    var url = url
    return url.withUTF8 { bytes in unsafe canonicalOfPlain(bytes.span) }
  }

  private static func canonicalOfPlain(_ url: Span<UInt8>) -> String? {
    guard let host = endOfScheme(url), let path = endOfHost(url, from: host),
      let query = endOfPath(url, from: path)
    else { return nil }
    var end = query
    while end < url.count, url[end] != 0x23 {
      guard isVisible(url[end]) else { return nil }
      end += 1
    }
    for place in end..<url.count where !isVisible(url[place]) { return nil }
    var text: [UInt8] = []
    text.reserveCapacity(end)
    append(url, 0..<query, to: &text)
    guard appendQuery(url, query..<end, to: &text) else { return nil }
    return String(decoding: text, as: UTF8.self)
  }

  private static func append(_ url: Span<UInt8>, _ range: Range<Int>, to text: inout [UInt8]) {
    for place in range { text.append(url[place]) }
  }

  private static func isVisible(_ byte: UInt8) -> Bool { byte > 0x20 && byte < 0x7F }

  private static func endOfScheme(_ url: Span<UInt8>) -> Int? {
    if starts(url, 0, with: "https://") { return 8 }
    return starts(url, 0, with: "http://") ? 7 : nil
  }

  /// The place of the slash behind the host.
  private static func endOfHost(_ url: Span<UInt8>, from start: Int) -> Int? {
    var place = start
    while place < url.count {
      switch url[place] {
      case 0x61...0x7A, 0x30...0x39, 0x2D, 0x2E: place += 1
      case 0x2F: return place > start ? place : nil
      default: return nil
      }
    }
    return nil
  }

  private static func endOfPath(_ url: Span<UInt8>, from start: Int) -> Int? {
    var place = start
    var previous: UInt8 = 0
    while place < url.count {
      let byte = url[place]
      if byte == 0x3F || byte == 0x23 { return place }
      guard isVisible(byte), byte != 0x2E || previous != 0x2F else { return nil }
      previous = byte
      place += 1
    }
    return place
  }

  /// Appends the parameters that say what the page is. False when a name needs a closer look.
  private static func appendQuery(
    _ url: Span<UInt8>, _ query: Range<Int>, to text: inout [UInt8]
  ) -> Bool {
    var start = query.lowerBound + 1
    var mark: UInt8 = 0x3F
    while start < query.upperBound {
      var end = start
      var name = -1
      while end < query.upperBound, url[end] != 0x26 {
        if url[end] == 0x3D, name < 0 { name = end }
        if name < 0, (0x41...0x5A).contains(url[end]) || url[end] == 0x25 { return false }
        end += 1
      }
      if name < 0 { name = end }
      if end > start, !isTracker(url, start..<name) {
        text.append(mark)
        mark = 0x26
        append(url, start..<end, to: &text)
      }
      start = end + 1
    }
    return true
  }

  private static func isTracker(_ url: Span<UInt8>, _ name: Range<Int>) -> Bool {
    let isCounted =
      starts(url, name.lowerBound, with: "utm_") || starts(url, name.lowerBound, with: "pk_")
    if isCounted { return true }
    return trackerNames.contains { tracker in
      tracker.count == name.count
        && tracker.indices.allSatisfy { tracker[$0] == url[name.lowerBound + $0] }
    }
  }

  private static let trackerNames: [[UInt8]] = trackers.map { Array($0.utf8) }

  private static func starts(
    _ url: Span<UInt8>, _ place: Int, with text: StaticString
  ) -> Bool {
    let count = text.utf8CodeUnitCount
    guard place + count <= url.count else { return false }
    for index in 0..<count where unsafe url[place + index] != text.utf8Start[index] {
      return false
    }
    return true
  }
}
