/// Entities and favorites as `--json` prints them. Absent values are left out.
extension JSONWriter {
  /// A value: a price as an object (see `money`), a time as RFC 3339, a list as an array.
  package mutating func value(_ value: Value) {
    switch value {
    case .text(let text): self.text(text)
    case .integer(let number): integer(number)
    case .real(let number): real(number)
    case .boolean(let flag): boolean(flag)
    case .time(let time): self.time(time)
    case .money(let money): self.money(money)
    case .list(let texts): list(texts)
    }
  }

  /// `{"low":165900,"high":251300,"currency":"CNY","text":"16.59-25.13万"}`.
  package mutating func money(_ money: Money) {
    beginMoney(low: money.low, high: money.high)
    if let currency = money.currency {
      fieldName("currency")
      text(currency)
    }
    fieldName("text")
    text(money.text)
    endObject()
  }

  /// The same from UTF-8, for callers that hold no `Money`.
  package mutating func money(
    low: Double?, high: Double?, currency: Span<UInt8>?, text: Span<UInt8>
  ) {
    beginMoney(low: low, high: high)
    if let currency {
      fieldName("currency")
      self.text(span: currency)
    }
    fieldName("text")
    self.text(span: text)
    endObject()
  }

  /// The same from bytes that are lent.
  package mutating func money(
    low: Double?, high: Double?, currency: UnsafeRawBufferPointer?, text: UnsafeRawBufferPointer
  ) {
    beginMoney(low: low, high: high)
    if let currency = unsafe currency {
      fieldName("currency")
      unsafe self.text(utf8: currency)
    }
    fieldName("text")
    unsafe self.text(utf8: text)
    endObject()
  }

  private mutating func beginMoney(low: Double?, high: Double?) {
    beginObject()
    if let low {
      fieldName("low")
      real(low)
    }
    if let high {
      fieldName("high")
      real(high)
    }
  }

  package mutating func list(_ texts: some Sequence<String>) {
    beginArray()
    for text in texts { self.text(text) }
    endArray()
  }

  /// An entity as one object: `kind`, `key`, and its fields in the order of the kind.
  package mutating func entity(_ entity: Entity, kind: Kind) {
    beginObject()
    entityMembers(entity, kind: kind)
    endObject()
  }

  /// The members of an entity's object, for a caller that adds its own.
  package mutating func entityMembers(_ entity: Entity, kind: Kind) {
    member("kind", entity.kind)
    member("key", entity.key)
    for field in kind.fields {
      guard let value = entity.values[field.name] else { continue }
      fieldName(field.name)
      self.value(value)
    }
  }

  /// A favorite as one object: the entity's members, then `starred_at`, `tags`, `note`, `causes`.
  package mutating func favorite(_ favorite: Favorite, kind: Kind) {
    beginObject()
    entityMembers(favorite.entity, kind: kind)
    favoriteMembers(favorite)
    endObject()
  }

  /// What a favorite adds to its entity's members.
  package mutating func favoriteMembers(_ favorite: Favorite) {
    fieldName("starred_at")
    time(favorite.starredAt)
    fieldName("tags")
    list(favorite.tags)
    if let note = favorite.note { member("note", note) }
    fieldName("causes")
    beginArray()
    for cause in favorite.causes { self.cause(cause) }
    endArray()
  }

  /// A cause: `{"by":"rule","rule":"EV under 20万","version":"a1b2c3d4","at":"…","evidence":[…]}`.
  package mutating func cause(_ cause: Cause) {
    beginObject()
    originMembers(cause.origin)
    fieldName("at")
    time(cause.at)
    evidence(cause.evidence)
    endObject()
  }

  /// Who or what did something: `"by":"rule","rule":"EV under 20万","version":"a1b2c3d4"`.
  package mutating func originMembers(_ origin: Cause.Origin) {
    switch origin {
    case .hand: member("by", "hand")
    case .rule(let name, let version):
      member("by", "rule")
      member("rule", name)
      member("version", version)
    case .script(let name):
      member("by", "script")
      member("script", name)
    case .import(let file, let line):
      member("by", "import")
      member("file", file)
      fieldName("line")
      integer(Int64(line))
    }
  }

  package mutating func evidence(_ evidence: [Evidence]) {
    guard !evidence.isEmpty else { return }
    fieldName("evidence")
    beginArray()
    for part in evidence {
      beginObject()
      member("field", part.field)
      member("value", part.value)
      member("condition", part.condition)
      endObject()
    }
    endArray()
  }

  /// A member whose name is of `[a-z0-9_]` and whose value is a text.
  package mutating func member(_ name: String, _ text: String) {
    fieldName(name)
    self.text(text)
  }
}

// MARK: - Records

extension JSONWriter {
  /// The object of a record of `kind`, without a String on the way.
  package mutating func record(_ record: borrowing EntityRecord, kind: Kind) {
    beginObject()
    recordMembers(record, kind: kind)
    endObject()
  }

  /// The members of a record's object, for a caller that adds its own.
  package mutating func recordMembers(_ record: borrowing EntityRecord, kind: Kind) {
    member("kind", kind.name)
    fieldName("key")
    text(of: record, record.key)
    for index in 0..<min(kind.fields.count, record.slots.count) {
      if case .absent = record.slots[index] { continue }
      fieldName(kind.fields[index].name)
      slot(index, of: record)
    }
  }

  private mutating func slot(_ index: Int, of record: borrowing EntityRecord) {
    switch record.slots[index] {
    case .absent: null()
    case .text(let range): text(of: record, range)
    case .integer(let number): integer(number)
    case .real(let number): real(number)
    case .boolean(let flag): boolean(flag)
    case .time(let seconds): time(Timestamp(secondsSinceEpoch: seconds))
    case .money(let place):
      let money = record.moneys[place]
      let bytes = record.bytes.span
      let currency: Span<UInt8>? =
        if let range = money.currency { bytes.extracting(range) } else { nil }
      self.money(
        low: money.low, high: money.high, currency: currency, text: bytes.extracting(money.text))
    case .list(let range):
      beginArray()
      for place in range { text(of: record, record.items[place]) }
      endArray()
    }
  }

  private mutating func text(of record: borrowing EntityRecord, _ range: Range<Int>) {
    text(span: record.bytes.span.extracting(range))
  }
}
