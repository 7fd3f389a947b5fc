/// The kinds of all loaded plugins, merged.
///
/// Plugins are merged in the order in which they load. Whoever comes first decides a kind's key and
/// the types of its fields; later ones may add fields and indexes, which go behind those that are
/// there, so that the order of a kind's fields never changes.
public struct KindModel: Sendable {
  /// What one kind may have, all plugins that share it together, and how many kinds there may be: a
  /// table has at most 2,000 columns (SQLite: Limits, SQLITE_MAX_COLUMN), a price takes four of them,
  /// and whoever declares without end must not be the ruin of the file.
  package static let mostFields = 200
  package static let mostIndexes = 64
  package static let mostKindsOfOne = 64
  package static let mostKinds = 1_000

  /// In the order of their first declaration.
  public private(set) var kinds: [Kind] = []
  /// Who declared a kind, by name, and a field, by `kind.field`.
  private var declarers: [String: String] = [:]
  private var places: [String: Int] = [:]

  public init() {}

  public subscript(name: String) -> Kind? {
    places[name].map { kinds[$0] }
  }

  /// Who declared a kind first.
  public func declarer(ofKind kind: String) -> String? {
    declarers[kind]
  }

  /// Who declared a field first.
  public func declarer(ofKind kind: String, field: String) -> String? {
    declarers["\(kind).\(field)"]
  }

  /// Adds what one plugin declares: all of it, or nothing when a part contradicts.
  ///
  /// - Throws: the first contradiction, naming both plugins and the field.
  public mutating func merge(
    _ declarations: [KindDeclaration], from plugin: String
  ) throws(KindConflict) {
    var merged = self
    for declaration in declarations { try merged.add(declaration, from: plugin) }
    for declaration in declarations { try merged.check(declaration.name, for: plugin) }
    self = merged
  }

  /// Merges plugins in the order given. A plugin may share a kind that a later one declares.
  ///
  /// - Returns: the model, and for each plugin that was left out the reason.
  public static func merging(
    _ plugins: [(plugin: String, declarations: [KindDeclaration])]
  ) -> (model: KindModel, refused: [KindConflict]) {
    var model = KindModel()
    var refused: [KindConflict] = []
    var waiting = plugins
    // A plugin that shares waits until its kind is there; each round takes in at least one plugin
    // or is the last.
    while !waiting.isEmpty {
      var later: [(plugin: String, declarations: [KindDeclaration])] = []
      for (plugin, declarations) in waiting {
        guard model.knowsKeys(of: declarations) else {
          later.append((plugin, declarations))
          continue
        }
        do { try model.merge(declarations, from: plugin) } catch { refused.append(error) }
      }
      guard later.count < waiting.count else {
        for (plugin, declarations) in later {
          do { try model.merge(declarations, from: plugin) } catch { refused.append(error) }
        }
        break
      }
      waiting = later
    }
    return (model, refused)
  }

  private func knowsKeys(of declarations: [KindDeclaration]) -> Bool {
    declarations.allSatisfy { declaration in
      declaration.key != nil || places[declaration.name] != nil
        || declarations.contains { $0.name == declaration.name && $0.key != nil }
    }
  }

  private mutating func add(
    _ declaration: KindDeclaration, from plugin: String
  ) throws(KindConflict) {
    let name = declaration.name
    func refuse(_ reason: String, field: String? = nil, other: String? = nil) -> KindConflict {
      KindConflict(plugin: plugin, kind: name, field: field, other: other, reason: reason)
    }
    guard Field.isWellFormed(name), !Field.reservedNames.contains(name) else {
      throw refuse("a kind's name is made of a-z, 0-9 and _, and is no reserved word")
    }
    guard !Kind.isReserved(name) else {
      throw refuse("the database keeps this name for a table of its own; give the kind another")
    }
    if places[name] == nil {
      guard let key = declaration.key else {
        let hint = Spelling.nearest(to: name, among: kinds.map(\.name))
        throw refuse(
          "no plugin declares this kind with its key"
            + (hint.map { "; did you mean `\($0)`?" } ?? ""))
      }
      guard kinds.count < KindModel.mostKinds else {
        throw refuse("there are \(KindModel.mostKinds) kinds already, and no more are taken")
      }
      places[name] = kinds.count
      kinds.append(Kind(name: name, key: key, fields: []))
      declarers[name] = plugin
    }
    guard let place = places[name] else { return }
    if let key = declaration.key, key != kinds[place].key {
      var conflict = refuse(
        "its key is \(key), which was \(kinds[place].key) before", other: declarers[name])
      conflict.key = key
      throw conflict
    }
    for field in declaration.fields {
      guard Field.isWellFormed(field.name), !Field.reservedNames.contains(field.name) else {
        throw refuse(
          "a field's name is made of a-z, 0-9 and _, and is no reserved word", field: field.name)
      }
      guard let known = kinds[place].fields.first(where: { $0.name == field.name }) else {
        guard kinds[place].fields.count < KindModel.mostFields else {
          throw refuse(
            "a kind has at most \(KindModel.mostFields) fields, all plugins together",
            field: field.name)
        }
        kinds[place].fields.append(field)
        declarers["\(name).\(field.name)"] = plugin
        continue
      }
      guard known.type == field.type else {
        throw refuse(
          "it is \(field.type.rawValue) here and \(known.type.rawValue) there", field: field.name,
          other: declarer(ofKind: name, field: field.name))
      }
    }
    for index in declaration.indexes where !kinds[place].indexes.contains(index) {
      guard kinds[place].indexes.count < KindModel.mostIndexes else {
        throw refuse(
          "a kind has at most \(KindModel.mostIndexes) indexes, all plugins together",
          field: index)
      }
      kinds[place].indexes.append(index)
    }
  }

  /// What can be told only when all of a plugin's declarations are in: keys and indexes name fields.
  private func check(_ name: String, for plugin: String) throws(KindConflict) {
    guard let kind = self[name] else { return }
    func refuse(_ reason: String, field: String? = nil) -> KindConflict {
      KindConflict(plugin: plugin, kind: name, field: field, reason: reason)
    }
    if case .fields(let names) = kind.key {
      guard !names.isEmpty else { throw refuse("its key names no field") }
      for (place, name) in names.enumerated() {
        guard let index = kind.index(of: name) else {
          throw refuse("the key names a field that is not declared", field: name)
        }
        guard names.firstIndex(of: name) == place else {
          throw refuse("the key names this field twice", field: name)
        }
        switch kind.fields[index].type {
        case .text, .url, .integer, .boolean, .time: break
        case .real, .money, .list:
          throw refuse(
            "a \(kind.fields[index].type.rawValue) cannot be part of a key", field: name)
        }
      }
    }
    for name in kind.indexes {
      guard let index = kind.index(of: name) else {
        throw refuse("an index names a field that is not declared", field: name)
      }
      guard kind.fields[index].type != .list else {
        throw refuse("a list cannot have an index", field: name)
      }
    }
  }
}

extension Kind.KeyRule: CustomStringConvertible {
  /// As a plugin writes it: `"auto"`, or the names of the fields in quotes.
  public var description: String {
    switch self {
    case .auto: "\"auto\""
    case .fields(let names): "{ " + names.map { "\"\($0)\"" }.joined(separator: ", ") + " }"
    }
  }
}
