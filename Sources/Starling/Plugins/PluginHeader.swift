/// The first lines of a plugin, which are data and are read before any of its code runs.
///
///     --- @api 1
///     --- @summary Forums and topics of any Discourse site
struct PluginHeader: Equatable, Sendable {
  /// The version of the plugin API that this host speaks.
  static let supportedAPI = 1

  /// Bytes of one value: lists show it in a line.
  private static let longest = 400
  /// Bytes at a file's top that are looked at.
  private static let longestHeader = 64 << 10

  /// The API version that the plugin is written for; nil when the file says none.
  var api: String?
  /// The line that says it, from 1; the first one where none does.
  private(set) var apiLine = 1
  var summary: String?

  /// Reads the comment lines at the top of a plugin; the first line of another sort ends them.
  init(parsing source: [UInt8]) {
    var rest = source.prefix(PluginHeader.longestHeader)
    if rest.starts(with: [0xEF, 0xBB, 0xBF]) { rest = rest.dropFirst(3) }
    var number = 0
    while !rest.isEmpty {
      number += 1
      let line = rest.prefix { $0 != UInt8(ascii: "\n") }
      rest = rest.dropFirst(line.count + 1)
      let text = PluginHeader.trim(line)
      if text.isEmpty { continue }
      guard text.starts(with: Array("--".utf8)) else { return }
      let isKnown = api != nil
      read(String(decoding: text.drop { $0 == UInt8(ascii: "-") }, as: UTF8.self))
      if !isKnown, api != nil { apiLine = number }
    }
  }

  private mutating func read(_ comment: String) {
    let words = comment.split(separator: " ", maxSplits: 1, omittingEmptySubsequences: true)
    guard words.count == 2 else { return }
    let value = String(
      decoding: PluginHeader.trim(Array(words[1].utf8)[...]).prefix(PluginHeader.longest),
      as: UTF8.self)
    switch words[0] {
    case "@api": api = api ?? value
    case "@summary": summary = summary ?? value
    default: break
    }
  }

  private static func trim(_ line: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 || byte == 0x0D }
    var line = line.drop(while: isBlank)
    while let last = line.last, isBlank(last) { line.removeLast() }
    return line
  }

  /// Why a plugin with this header cannot be used, or nil when it can.
  var refusal: String? {
    guard let api else {
      return "no `--- @api \(PluginHeader.supportedAPI)` line at its top, so it is not a plugin"
    }
    guard let version = Int(api) else {
      return "`@api \(api)` is no whole number; write `--- @api \(PluginHeader.supportedAPI)`"
    }
    guard version == PluginHeader.supportedAPI else {
      return "written for plugin API \(version), and this program speaks "
        + "\(PluginHeader.supportedAPI); update "
        + (version > PluginHeader.supportedAPI ? "Starling" : "the plugin")
    }
    return nil
  }
}
