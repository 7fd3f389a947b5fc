import StarlingFeeds
import StarlingModel

/// What can be told of a field's type from the values that it has in one document.
struct ValueGuess {
  /// The name that the document gives it, which says something too.
  let name: String
  /// Whether the document has nothing but text, so that a number is one by its digits.
  let isMarkup: Bool
  private(set) var count = 0
  private(set) var isUnique = true
  private var seen: Set<[UInt8]> = []
  private var forms: Set<Form> = []
  private var texts: [String] = []
  private var numbers: [Int64] = []

  private enum Form {
    case boolean, integer, real, bigNumber, text, list, other
  }

  init(name: String, isMarkup: Bool = false) {
    self.name = name
    self.isMarkup = isMarkup
  }

  mutating func note(_ node: JSONDocument.Node, of document: JSONDocument) {
    switch document.kind(node) {
    case .null: return
    case .boolean: forms.insert(.boolean)
    case .integer:
      forms.insert(.integer)
      numbers.append(document.integer(node))
    case .real: forms.insert(.real)
    case .bigNumber: forms.insert(.bigNumber)
    case .string:
      let text = document.string(node)
      if text.utf8.allSatisfy({ $0 <= 0x20 }) { return }
      note(text)
      return
    case .array: forms.insert(ValueGuess.isPlain(node, document) ? .list : .other)
    case .object: forms.insert(.other)
    }
    count += 1
    let json = CompactJSON.sorted(document, node)
    isUnique = seen.insert(Array(json.utf8)).inserted && isUnique
  }

  mutating func note(_ text: String) {
    forms.insert(.text)
    count += 1
    texts.append(text)
    isUnique = seen.insert(Array(text.utf8)).inserted && isUnique
  }

  /// A list of texts and numbers.
  private static func isPlain(_ node: JSONDocument.Node, _ document: JSONDocument) -> Bool {
    var isPlain = true
    document.forEachElement(of: node) { element in
      switch document.kind(element) {
      case .array, .object: isPlain = false
      default: break
      }
    }
    return isPlain
  }

  /// The field's type, and the Lua expression that gives its value from `raw`; nil when no type
  /// holds what there is.
  func field(_ raw: String) -> (type: FieldType, expression: String)? {
    switch forms {
    case [.boolean]: return (.boolean, raw)
    case [.integer]: return integer(raw)
    case [.real], [.real, .integer]: return isPrice ? (.money, raw) : (.real, raw)
    case [.text]: return text(raw)
    case [.list]: return (.list, raw)
    case [.bigNumber], [.text, .integer], [.bigNumber, .integer], [.text, .bigNumber, .integer]:
      return (.text, raw)
    default: return nil
    }
  }

  private func integer(_ raw: String) -> (type: FieldType, expression: String) {
    if isIdentity { return (.text, raw) }
    if isTime, numbers.allSatisfy({ (100_000_000...9_999_999_999).contains($0) }) {
      return (.time, raw)
    }
    if isTime, numbers.allSatisfy({ (100_000_000_000...9_999_999_999_999).contains($0) }) {
      return (.time, "\(raw) and (\(raw)) // 1000")
    }
    return isPrice ? (.money, raw) : (.integer, raw)
  }

  private func text(_ raw: String) -> (type: FieldType, expression: String) {
    if texts.allSatisfy({ $0.hasPrefix("https://") || $0.hasPrefix("http://") }) {
      return (.url, raw)
    }
    if isAddress, texts.allSatisfy({ $0.hasPrefix("/") || $0.hasPrefix("http") }) {
      // A file that was saved from somewhere does not say from where.
      return (.url, "url.join(feed.url, \(raw)) or \(raw)")
    }
    if texts.allSatisfy({ ValueGuess.isTime($0) }) { return (.time, raw) }
    if isMarkup, !isIdentity, let type = typeOfDigits {
      return (type == .boolean ? type : isPrice ? .money : type, raw)
    }
    if !isIdentity, isCount, texts.allSatisfy({ Int64($0) != nil }) { return (.integer, raw) }
    if isPrice, texts.contains(where: { Money(parsing: $0)?.low != nil }) { return (.money, raw) }
    if texts.contains(where: { $0.contains("<") || $0.contains("&") }) {
      return (.text, "text.plain(\(raw))")
    }
    return (.text, raw)
  }

  /// Of texts that are all numbers as one writes them, without a 0 before them, or all true or false.
  private var typeOfDigits: FieldType? {
    if texts.allSatisfy({ $0 == "true" || $0 == "false" }) { return .boolean }
    let isPlain = texts.allSatisfy { text in
      let digits = text.utf8.drop { $0 == UInt8(ascii: "-") }
      return digits.allSatisfy { (0x30...0x39).contains($0) || $0 == UInt8(ascii: ".") }
        && (digits.first != UInt8(ascii: "0") || digits.count == 1 || text.contains("0."))
    }
    if !isPlain { return nil }
    if texts.allSatisfy({ Int64($0) != nil }) { return .integer }
    return texts.allSatisfy { Double($0) != nil } ? .real : nil
  }

  /// A date with a year; digits alone are none.
  private static func isTime(_ text: String) -> Bool {
    text.utf8.count >= 8 && text.utf8.count <= 40
      && text.utf8.contains { !(0x30...0x39).contains($0) }
      && Timestamp(parsing: text) != nil
  }

  private var lower: String { name.lowercased() }
  private func names(_ words: String...) -> Bool { words.contains { lower.contains($0) } }

  private var isTime: Bool {
    names("time", "date", "created", "updated", "published", "modified", "_at", "since")
      || name.hasSuffix("At")
  }
  private var isPrice: Bool { names("price", "cost", "amount", "msrp") }
  private var isAddress: Bool { names("url", "link", "href", "path", "image", "photo", "thumb") }
  private var isCount: Bool {
    names("count", "num", "replies", "views", "likes", "score", "votes", "points", "size", "total")
  }
  /// Whether the name says that it identifies something.
  var isIdentity: Bool {
    ["id", "guid", "uid", "uuid", "key", "slug", "sku", "isbn"].contains(lower)
      || lower.hasSuffix("_id") || name.hasSuffix("Id") || name.hasSuffix("ID")
  }
}
