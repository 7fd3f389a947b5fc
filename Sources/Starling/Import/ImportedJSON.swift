import StarlingFeeds
import StarlingModel

/// One object of a JSON file of favorites.
struct ImportedJSON {
  struct Fault: Error {
    var what: String
  }

  let document: JSONDocument

  /// An object with `kind`, `key` and fields as `list --json` prints them, or with an address under
  /// `url`, `href` or `link`.
  func favorite(
    _ node: JSONDocument.Node, line: Int, kinds: [Kind]
  ) throws(Fault) -> ImportedFavorite {
    guard document.kind(node) == .object else { throw Fault(what: "it is no object") }
    var favorite: ImportedFavorite
    if let name = text(node, "kind") {
      favorite = ImportedFavorite(line: line, entity: try entity(node, name, kinds))
      favorite.note = text(node, "note")
    } else {
      guard let url = text(node, "url", "href", "link", "given_url", "resolved_url") else {
        throw Fault(what: "it has neither a kind nor an address")
      }
      let title = text(node, "title", "description", "given_title", "resolved_title")
      favorite = ImportedFavorite(line: line, address: url, title: title)
      favorite.note = text(node, "note", "extended", "notes")
    }
    favorite.tags = tags(node)
    favorite.starredAt = text(node, "starred_at", "time", "time_added", "created")
      .flatMap { Timestamp(parsing: $0) }
    return favorite
  }

  private func entity(
    _ node: JSONDocument.Node, _ name: String, _ kinds: [Kind]
  ) throws(Fault) -> Entity {
    guard let kind = kinds.first(where: { $0.name == name }) else {
      let hint = Spelling.nearest(to: name, among: kinds.map(\.name)).map {
        "; did you mean \($0)?"
      }
      throw Fault(what: "there is no kind \(name)" + (hint ?? ""))
    }
    var entity = Entity(kind: name, key: text(node, "key") ?? "")
    for field in kind.fields {
      guard let member = document.member(node, field.name) else { continue }
      entity[field.name] = value(member, field.type)
    }
    return entity
  }

  private func value(_ node: JSONDocument.Node, _ type: FieldType) -> Value? {
    switch (type, document.kind(node)) {
    case (_, .null): return nil
    case (.money, .object):
      return .money(
        Money(
          low: number(node, "low"), high: number(node, "high"), currency: text(node, "currency"),
          text: text(node, "text") ?? ""))
    case (.list, .array):
      let texts = elements(node).filter { !$0.isEmpty }
      return texts.isEmpty ? nil : .list(texts)
    case (.integer, .integer): return .integer(document.integer(node))
    case (.real, .integer), (.real, .real): return .real(document.real(node))
    case (.boolean, .boolean): return .boolean(document.boolean(node))
    case (.time, .integer): return Timestamp(epoch: document.integer(node)).map { .time($0) }
    default: return Value(importing: scalar(node), as: type)
    }
  }

  /// Pinboard separates tags by blanks, most others by commas.
  private func tags(_ node: JSONDocument.Node) -> [String] {
    guard let member = document.member(node, "tags") ?? document.member(node, "tag") else {
      return []
    }
    if document.kind(member) == .array { return elements(member).filter { !$0.isEmpty } }
    let text = scalar(member)
    let separator: Character = text.contains(",") ? "," : " "
    return text.split(separator: separator).map { String($0).trimmed }.filter { !$0.isEmpty }
  }

  private func elements(_ node: JSONDocument.Node) -> [String] {
    var texts: [String] = []
    var child = document.firstChild(node)
    while let element = child {
      texts.append(scalar(element))
      child = document.nextSibling(element, in: node)
    }
    return texts
  }

  /// A text, or a number as its digits; else empty.
  private func scalar(_ node: JSONDocument.Node) -> String {
    switch document.kind(node) {
    case .string, .bigNumber: document.string(node).trimmed
    case .integer: String(document.integer(node))
    case .real: String(document.real(node))
    case .boolean: document.boolean(node) ? "true" : "false"
    case .null, .array, .object: ""
    }
  }

  private func text(_ node: JSONDocument.Node, _ names: String...) -> String? {
    for name in names {
      guard let member = document.member(node, name) else { continue }
      let text = scalar(member)
      if !text.isEmpty { return text }
    }
    return nil
  }

  private func number(_ node: JSONDocument.Node, _ name: String) -> Double? {
    guard let member = document.member(node, name) else { return nil }
    let kind = document.kind(member)
    return kind == .integer || kind == .real ? document.real(member) : nil
  }
}
