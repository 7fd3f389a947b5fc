import StarlingLua

/// Reads Lua values for a person, raw: no metamethod runs, so nothing can lie, raise or loop. All
/// that one reads has the limits in common.
struct ConsoleValueReader {
  struct Limits {
    /// Tables inside one another.
    var depth = 6
    var elements = 200
    var fields = 200
    var textBytes = 4096
    /// Values in all, and bytes of their texts; then each text is shown by its beginning.
    var values = 20_000
    var allTextBytes = 2 << 20
    var beginning = 32
  }

  let state: LuaState
  var limits = Limits()
  /// The global names of functions, by their identity.
  var functionNames: [UInt: String] = [:]
  /// The tables around the one that is being read.
  private var path: [UInt] = []
  private var left: Int
  private var textLeft: Int

  init(_ state: LuaState, functionNames: [UInt: String], limits: Limits = Limits()) {
    self.state = state
    self.functionNames = functionNames
    self.limits = limits
    left = limits.values
    textLeft = limits.allTextBytes
  }

  /// - Throws: `interrupted` when the call's time is over, or somebody asked for a stop.
  mutating func read(_ view: LuaView) throws(LuaError) -> ConsoleValue {
    path = []
    return try value(view)
  }

  private mutating func value(_ view: LuaView) throws(LuaError) -> ConsoleValue {
    left -= 1
    if left & 0x7F == 0 { try state.stopCheck.check() }
    switch view.type {
    case .none, .nil: return .nil
    case .null: return .null
    case .boolean: return .boolean(view.isTrue)
    case .integer: return .integer(view.integer ?? 0)
    case .number: return .number(view.numberText ?? "")
    case .string: return unsafe text(view.bytes)
    case .function: return .function(view.identity.flatMap { functionNames[$0] })
    case .table: return try table(view)
    case .view: return .opaque("view of a document")
    case .thread: return .opaque("coroutine")
    case .object: return .opaque(Self.word(forObject: state.objectTypeName(of: view)))
    case .other: return .opaque("userdata")
    }
  }

  /// What an object of the host is to a person.
  private static func word(forObject type: String?) -> String {
    switch type {
    case "stop": "function that ends the listening"
    case "members": "set of keys"
    case "rows": "function that gives the next row"
    case let type?: type
    case nil: "userdata"
    }
  }

  private mutating func text(_ bytes: UnsafeRawBufferPointer?) -> ConsoleValue {
    guard let bytes = unsafe bytes else { return .nil }
    var end = min(bytes.count, textLeft > 0 ? limits.textBytes : limits.beginning)
    textLeft -= end
    // Not in the middle of a character.
    while end < bytes.count, end > 0, unsafe bytes[end] & 0xC0 == 0x80 { end -= 1 }
    let text = unsafe String(decoding: bytes[..<end], as: UTF8.self)
    return .text(ConsoleValue.Text(text, hiddenBytes: bytes.count - end))
  }

  private mutating func table(_ view: LuaView) throws(LuaError) -> ConsoleValue {
    guard let identity = view.identity else { return .opaque("table") }
    if path.contains(identity) { return .cycle }
    if path.count >= limits.depth || left <= 0 { return .deeper }
    path.append(identity)
    defer { path.removeLast() }
    var table = ConsoleValue.Table()
    let count = view.rawCount
    var position = 0
    while position < min(count, limits.elements), left > 0 {
      position += 1
      table.elements.append(
        try view.element(position) { element throws(LuaError) in try value(element) })
    }
    table.hiddenElements = count - position
    try readFields(of: view, count, into: &table)
    return .table(table)
  }

  private mutating func readFields(
    of view: LuaView, _ count: Int, into table: inout ConsoleValue.Table
  ) throws(LuaError) {
    var keys = ConsoleKeys(limit: limits.fields)
    var others: [ConsoleValue.Field] = []
    var otherCount = 0
    try Self.walk(view, state) { key, field throws(LuaError) in
      if key.type == .integer, let place = key.integer, place >= 1, place <= count { return }
      if keys.add(key) { return }
      otherCount += 1
      guard others.count < 16 else { return }
      others.append(ConsoleValue.Field(try value(key), try value(field)))
    }
    for key in keys.sorted {
      if left <= 0 { break }
      table.fields.append(try field(key, of: view))
    }
    table.fields += others
    table.hiddenFields = keys.count + otherCount - table.fields.count
  }

  /// Goes through the pairs of a table, as long as there is time.
  private static func walk(
    _ view: LuaView, _ state: LuaState, _ body: (LuaView, LuaView) throws(LuaError) -> Void
  ) throws(LuaError) {
    var walked = 0
    try view.forEachField { key, field throws(LuaError) in
      walked += 1
      if walked & 0xFFF == 0 { try state.stopCheck.check() }
      try body(key, field)
    }
  }

  private mutating func field(
    _ key: ConsoleKeys.Key, of view: LuaView
  ) throws(LuaError) -> ConsoleValue.Field {
    switch key {
    case .text(let bytes):
      let value = try view.field(bytes: bytes) { field throws(LuaError) in try self.value(field) }
      let name = unsafe bytes.withUnsafeBytes { unsafe text($0) }
      return ConsoleValue.Field(name, value)
    case .integer(let number):
      // Beyond the elements, and within what an index can be.
      let place = Int(clamping: number)
      let value = try view.element(place) { field throws(LuaError) in try self.value(field) }
      return ConsoleValue.Field(.integer(number), value)
    }
  }
}

/// The keys of a table in their order, the first few of however many.
struct ConsoleKeys {
  enum Key: Comparable {
    case text([UInt8])
    case integer(Int64)

    static func < (one: Key, other: Key) -> Bool {
      switch (one, other) {
      case (.text(let a), .text(let b)): a.lexicographicallyPrecedes(b)
      case (.integer(let a), .integer(let b)): a < b
      case (.text, .integer): true
      case (.integer, .text): false
      }
    }
  }

  private let limit: Int
  /// A longer one is looked at where it stands, as what has no place in the order.
  private static let longest = 4096
  private var keys: [Key] = []
  /// The last of the first `limit`, once there were more than these.
  private var last: Key?
  private(set) var count = 0

  init(limit: Int) {
    self.limit = limit
  }

  /// - Returns: false for what is neither a name nor an integer.
  mutating func add(_ view: LuaView) -> Bool {
    if let bytes = unsafe view.bytes {
      guard bytes.count <= Self.longest else { return false }
      count += 1
      if case .text(let last) = last, unsafe !bytes.lexicographicallyPrecedes(last) { return true }
      unsafe keys.append(.text(Array(bytes)))
    } else if view.type == .integer, let number = view.integer {
      count += 1
      let key = Key.integer(number)
      if let last, last < key { return true }
      keys.append(key)
    } else {
      return false
    }
    if keys.count >= 2 * limit + 16 { cut() }
    return true
  }

  private mutating func cut() {
    keys.sort()
    keys.removeSubrange(min(limit, keys.count)...)
    last = keys.last
  }

  var sorted: [Key] {
    Array(keys.sorted().prefix(limit))
  }
}
