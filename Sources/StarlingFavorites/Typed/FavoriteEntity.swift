public import StarlingModel

/// A Swift type whose values are entities of one kind.
///
/// `Codable` is the mapping: each coding key is a field, its name in snake case (`publishedAt` is the
/// field `published_at`). The kind's fields are found from the type itself, in the order in which it
/// decodes them:
///
/// | Swift | field type |
/// |---|---|
/// | `String`, an enum of `String`, whatever encodes as one text | text |
/// | `Int` and its kin, an enum of `Int` | integer |
/// | `Double`, `Float` | real |
/// | `Bool` | boolean |
/// | `URLReference`, Foundation's `URL` | url |
/// | `Timestamp`, Foundation's `Date` (to the second) | time |
/// | `Money` | money |
/// | `[String]`, `Set<String>`, an array of what encodes as a text | list |
/// | an optional of these | the same; nil is absent |
///
/// An absent text reads as "" and an absent list as [] where the property is not optional: the store
/// keeps no empty text. Any other absent field is the error `unfit` where its property is not optional,
/// unless `defaults` has a value for it: so a property that the type's next version adds is optional, a
/// text, a list, or has a default, as the entities that are stored already do not have it.
///
/// What has no column (a nested value, a dictionary, a number in a list) is the error `cannotMap`,
/// which names the field and says why.
public protocol FavoriteEntity: Codable, Sendable {
  /// The name of the kind: `[a-z][a-z0-9_]*`.
  static var kind: String { get }

  /// The fields that make the key, or `.auto` for things without identity. A type of an `auto` kind
  /// may have a property `key: String?`, which is the key that the store makes; nil until it has.
  static var key: Kind.KeyRule { get }

  /// The fields that have an index; none unless the type says so.
  static var indexes: [String] { get }

  /// The types of fields for which the Swift type leaves a choice: a `String` that is a `.url`, an
  /// `Int` that is a `.time`, an `Int` that is a `.real`.
  static var types: [String: FieldType] { get }

  /// What stands for fields that a stored entity lacks: one of an older version of the type, or from a
  /// plugin or script that left them out. Such an entity reads as if it had these values, and is not
  /// changed in the file until it is stored again; none unless the type says so.
  static var defaults: [String: Value] { get }

  /// The fields in their order. Found by decoding the type once from nothing; a type whose
  /// `init(from:)` refuses made-up values says them itself.
  static var fields: [Field] { get throws(FavoritesError) }
}

extension FavoriteEntity {
  public static var indexes: [String] { [] }

  public static var types: [String: FieldType] { [:] }

  public static var defaults: [String: Value] { [:] }

  public static var fields: [Field] {
    get throws(FavoritesError) { try FieldProbe.fields(of: Self.self) }
  }

  /// The kind as this type declares it.
  ///
  /// - Throws: `cannotMap` for a property that no field can hold, and a default that is none of its
  ///   field's type.
  public static var declaration: KindDeclaration {
    get throws(FavoritesError) {
      let fields = try fields
      let notes = ProbeNotes(type: "\(Self.self)", hasKey: hasKeyOfStore, types: types)
      for (name, value) in defaults {
        try notes.check(name, of: "defaults", among: fields.map(\.name))
        for field in fields where field.name == name && !value.fits(field.type) {
          throw notes.fault(
            name, "its default is \(value.typeName), and the property is \(field.type.rawValue)")
        }
      }
      return KindDeclaration(kind, key: key, fields: fields, indexes: indexes)
    }
  }

  /// Whether the coding key `key` stands for the entity's key.
  static var hasKeyOfStore: Bool { key == .auto }
}

extension KindModel {
  /// The kinds of Swift types.
  ///
  /// - Parameter declarer: who declares them, as conflicts name it.
  /// - Throws: `cannotMap`; `kindConflict` when two contradict, or a name is none.
  public init(
    _ types: [any FavoriteEntity.Type], declaredBy declarer: String = "the app"
  ) throws(FavoritesError) {
    self.init()
    var declarations: [KindDeclaration] = []
    for type in types { declarations.append(try type.declaration) }
    do { try merge(declarations, from: declarer) } catch { throw .kindConflict(error) }
  }
}

extension Value {
  /// Whether it is what a field of this type holds.
  fileprivate func fits(_ type: FieldType) -> Bool {
    switch (self, type) {
    case (.text, .text), (.text, .url), (.integer, .integer), (.integer, .real), (.real, .real),
      (.boolean, .boolean), (.time, .time), (.integer, .time), (.money, .money), (.list, .list):
      true
    default: false
    }
  }
}
