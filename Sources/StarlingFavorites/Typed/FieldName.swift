import StarlingModel

/// The names of fields for Swift's coding keys, both ways.
enum FieldName {
  /// `publishedAt` is `published_at`, `siteURL` is `site_url`, `URLText` is `url_text`; a name that is
  /// one already stays.
  static func field(_ key: String) -> String {
    let letters = Array(key.unicodeScalars)
    var name = ""
    for (place, letter) in letters.enumerated() {
      guard letter.properties.isUppercase else {
        name.unicodeScalars.append(letter)
        continue
      }
      let before = place > 0 ? letters[place - 1] : nil
      let isAfterSmall = before.map { !$0.properties.isUppercase && $0 != "_" } ?? false
      let isBeforeSmall =
        place > 0 && before != "_" && place + 1 < letters.count
        && letters[place + 1].properties.isLowercase
      if isAfterSmall || isBeforeSmall { name.append("_") }
      name.append(letter.properties.lowercaseMapping)
    }
    return name
  }

  /// The coding key of a field where the type writes it in camel case: `publishedAt`.
  static func camelCase(_ field: String) -> String {
    var name = ""
    for (place, part) in field.split(separator: "_").enumerated() {
      name += place == 0 ? String(part) : part.prefix(1).uppercased() + part.dropFirst()
    }
    return name
  }

  /// Why a name can be no field's; nil for one that can.
  static func fault(_ name: String) -> String? {
    if Field.reservedNames.contains(name) {
      return "the name is reserved; give the property another one in CodingKeys"
    }
    if !Field.isWellFormed(name) {
      return "\"\(name)\" is no field's name ([a-z][a-z0-9_]*); name the property in CodingKeys"
    }
    return nil
  }
}

/// The types of Foundation that are one value here. They are told by name: this module does not link
/// Foundation.
enum FoundationType {
  case url
  case date

  /// Seconds from 1970 to 2001, from where a `Date` counts.
  static let referenceSeconds: Double = 978_307_200

  init?(_ type: any Any.Type) {
    switch String(reflecting: type) {
    case "Foundation.URL", "FoundationEssentials.URL": self = .url
    case "Foundation.Date", "FoundationEssentials.Date": self = .date
    default: return nil
    }
  }

  /// The second in which a `Date` lies; nil for one that is not finite or beyond 64 bits.
  static func timestamp(ofDate seconds: Double) -> Timestamp? {
    let since1970 = (seconds + referenceSeconds).rounded(.down)
    return Int64(exactly: since1970).map { Timestamp(secondsSinceEpoch: $0) }
  }
}
