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
  /// The first line that names an API version below code, where it is not looked for.
  private var lateLine: Int?
  /// Whether the file is compiled Lua.
  private var isCompiled: Bool

  /// Reads the comment lines at the top of a plugin; the first line of another sort ends them.
  init(parsing source: [UInt8]) {
    // Lua manual 5.4, LUA_SIGNATURE.
    isCompiled = source.starts(with: [0x1B] + Array("Lua".utf8))
    var rest = source.prefix(PluginHeader.longestHeader)
    var isAtTop = true
    if rest.starts(with: [0xEF, 0xBB, 0xBF]) { rest = rest.dropFirst(3) }
    var number = 0
    while !rest.isEmpty {
      number += 1
      let line = rest.prefix { $0 != UInt8(ascii: "\n") }
      rest = rest.dropFirst(line.count + 1)
      let text = PluginHeader.trim(line)
      if text.isEmpty { continue }
      guard text.starts(with: [UInt8(ascii: "-"), UInt8(ascii: "-")]) else {
        if api != nil || isCompiled { return }
        isAtTop = false
        continue
      }
      let comment = text.drop { $0 == UInt8(ascii: "-") }
      if isAtTop {
        let isKnown = api != nil
        read(comment)
        if !isKnown, api != nil { apiLine = number }
      } else if PluginHeader.words(comment).first == "@api" {
        (lateLine, apiLine) = (number, number)
        return
      }
    }
  }

  private static func words(_ comment: ArraySlice<UInt8>) -> [Substring] {
    String(decoding: comment, as: UTF8.self)
      .split(separator: " ", maxSplits: 1, omittingEmptySubsequences: true)
  }

  private mutating func read(_ comment: ArraySlice<UInt8>) {
    let words = PluginHeader.words(comment)
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
    if isCompiled { return "it is compiled Lua (bytecode), and a plugin is text" }
    guard let api else {
      if let lateLine {
        return "its `@api` line is line \(lateLine), below code; a plugin begins with "
          + "`--- @api \(PluginHeader.supportedAPI)`"
      }
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
