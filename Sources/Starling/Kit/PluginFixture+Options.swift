import StarlingFeeds
import StarlingModel

extension PluginFixture.Options {
  private static let names = ["url", "site", "content_type", "charset", "accepts", "options"]

  /// Takes what a document says.
  ///
  /// - Throws: for the first member that cannot be taken.
  mutating func read(_ document: JSONDocument) throws(FixtureFault) {
    guard document.kind(document.root) == .object else {
      throw FixtureFault(
        message: "an object expected, as in { \"url\": \"https://example.com/feed\" }")
    }
    var read = self
    var fault: FixtureFault?
    document.forEachMember(of: document.root) { name, value in
      if fault != nil { return }
      do throws(FixtureFault) { try read.set(name, value, document) } catch { fault = error }
    }
    if let fault { throw fault }
    self = read
  }

  private mutating func set(
    _ name: String, _ value: JSONDocument.Node, _ document: JSONDocument
  ) throws(FixtureFault) {
    func text() throws(FixtureFault) -> String {
      guard document.kind(value) == .string else {
        throw FixtureFault(message: "`\(name)` is a text")
      }
      return document.string(value)
    }
    switch name {
    case "url": url = try text()
    case "site": site = try text()
    case "content_type": contentType = try text()
    case "charset": charset = try text()
    case "accepts":
      guard document.kind(value) == .boolean else {
        throw FixtureFault(message: "`accepts` is true or false")
      }
      isAccepted = document.boolean(value)
    case "options": options = try OptionValue.members(of: value, document)
    default:
      let hint = Spelling.nearest(to: name, among: Self.names).map { "did you mean `\($0)`?" }
      throw FixtureFault(
        message: "there is no `\(name)`; "
          + (hint ?? "there are \(Self.names.joined(separator: ", "))"))
    }
  }
}

extension OptionValue {
  fileprivate static func members(
    of object: JSONDocument.Node, _ document: JSONDocument
  ) throws(FixtureFault) -> [String: OptionValue] {
    guard document.kind(object) == .object else {
      throw FixtureFault(message: "`options` is an object")
    }
    var options: [String: OptionValue] = [:]
    var fault: FixtureFault?
    document.forEachMember(of: object) { name, value in
      switch document.kind(value) {
      case .boolean: options[name] = .boolean(document.boolean(value))
      case .integer: options[name] = .integer(document.integer(value))
      case .real: options[name] = .real(document.real(value))
      case .string: options[name] = .text(document.string(value))
      default:
        fault =
          fault
          ?? FixtureFault(message: "the option `\(name)` is a text, a number, true or false")
      }
    }
    if let fault { throw fault }
    return options
  }
}
