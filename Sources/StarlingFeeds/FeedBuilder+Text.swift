import StarlingModel

extension FeedBuilder {
  /// The range without white space at its ends.
  func trimmed(_ range: Range<Int>) -> Range<Int> {
    var start = range.lowerBound
    var end = range.upperBound
    while start < end, ByteScan.isSpace(current.bytes[start]) { start += 1 }
    while end > start, ByteScan.isSpace(current.bytes[end - 1]) { end -= 1 }
    return start..<end
  }

  mutating func append(_ bytes: UnsafeBufferPointer<UInt8>) -> Range<Int> {
    let start = current.bytes.count
    unsafe current.bytes.append(contentsOf: bytes)
    return start..<current.bytes.count
  }

  mutating func appendTrimmed(_ bytes: UnsafeBufferPointer<UInt8>) -> Range<Int> {
    let range = unsafe append(bytes)
    return trimmed(range)
  }

  mutating func append(_ text: String) -> Range<Int> {
    let start = current.bytes.count
    current.bytes.append(contentsOf: text.utf8)
    return start..<current.bytes.count
  }

  mutating func appendEscaped(_ bytes: UnsafeBufferPointer<UInt8>) {
    var start = 0
    for at in 0..<bytes.count {
      let byte = unsafe bytes[at]
      guard byte == 0x26 || byte == 0x3C || byte == 0x3E else { continue }
      unsafe current.bytes.append(contentsOf: bytes[start..<at])
      current.bytes.append(byte == 0x26 ? "&amp;" : byte == 0x3C ? "&lt;" : "&gt;")
      start = at + 1
    }
    unsafe current.bytes.append(contentsOf: bytes[start...])
  }

  /// Whether a range is that ASCII text, in any case of letters.
  func isText(_ range: Range<Int>, _ text: StaticString) -> Bool {
    range.count == text.utf8CodeUnitCount && hasPrefix(range, text)
  }

  func hasPrefix(_ range: Range<Int>, _ text: StaticString) -> Bool {
    let count = text.utf8CodeUnitCount
    guard range.count >= count else { return false }
    for index in 0..<count
    where unsafe ByteScan.lower(current.bytes[range.lowerBound + index]) != text.utf8Start[index] {
      return false
    }
    return true
  }

  /// The address as an absolute one, where a base is known; else as it is.
  mutating func resolved(_ range: Range<Int>) -> Range<Int> {
    var url = trimmed(range)
    url = URLBytes.withoutBreaks(&current.bytes, url)
    guard !url.isEmpty, let base, !URLBytes.hasScheme(current.bytes, url),
      let absolute = URLReference.join(base, current.string(url))
    else { return url }
    return append(absolute)
  }

  /// The HTML with the relative addresses of its links made absolute.
  mutating func absolutized(_ range: Range<Int>) -> Range<Int> {
    guard let base, !range.isEmpty, current.bytes[range].contains(0x3C) else { return range }
    guard let html = HTMLLinks.absolutize(current.bytes[range], base: base) else { return range }
    let start = current.bytes.count
    current.bytes.append(contentsOf: html)
    return start..<current.bytes.count
  }

  /// The text that a Base64 text stands for; the range as it is when it is no Base64 or no text.
  mutating func decodeBase64(_ range: Range<Int>) -> Range<Int> {
    guard let bytes = Base64.decode(current.bytes[range]), UTF8Validation.isValid(bytes) else {
      return range
    }
    let start = current.bytes.count
    current.bytes.append(contentsOf: bytes)
    return trimmed(start..<current.bytes.count)
  }

  /// XHTML without the one `<div>` around it.
  mutating func withoutDiv(_ range: Range<Int>) -> Range<Int> {
    guard hasPrefix(range, "<div"), let open = current.bytes[range].firstIndex(of: 0x3E),
      range.upperBound - 6 > open, isText((range.upperBound - 6)..<range.upperBound, "</div>")
    else { return range }
    let inner = (open + 1)..<(range.upperBound - 6)
    var depth = 0
    for at in inner where current.bytes[at] == 0x3C {
      if hasPrefix(at..<inner.upperBound, "<div") { depth += 1 }
      if hasPrefix(at..<inner.upperBound, "</div") { depth -= 1 }
      if depth < 0 { return range }
    }
    return trimmed(inner)
  }
}
