/// The element names of one document, with what they mean, found by the addresses of libxml2's
/// interned strings: a name is looked at once, however often it comes.
@safe struct NameTable {
  struct Name {
    var tag: Tag
    var family: Namespaces.Family
    /// With the usual prefix of its namespace; what plugins see.
    var display: [UInt8]
    var local: [UInt8]
    var uri: String?
  }

  private(set) var names: [Name] = []
  private var locals: [UInt] = []
  private var scopes: [UInt] = []
  private var places: [Int32] = []
  /// What an element without a known namespace belongs to; set by the root element.
  private var defaultFamily = Namespaces.Family.rss
  private var rootURI: String?

  init() {
    resize(to: 128)
  }

  /// The place of a name in `names`.
  mutating func place(
    _ local: UnsafePointer<UInt8>, prefix: UnsafePointer<UInt8>?, uri: UnsafePointer<UInt8>?
  ) -> Int {
    let first = UInt(bitPattern: local)
    let second = unsafe UInt(bitPattern: uri ?? prefix)
    var slot = hash(first, second)
    while places[slot] >= 0 {
      if locals[slot] == first, scopes[slot] == second { return Int(places[slot]) }
      slot = (slot + 1) & (places.count - 1)
    }
    names.append(unsafe describe(local, prefix: prefix, uri: uri))
    locals[slot] = first
    scopes[slot] = second
    places[slot] = Int32(names.count - 1)
    if names.count * 2 > places.count { resize(to: places.count * 2) }
    return names.count - 1
  }

  private func hash(_ first: UInt, _ second: UInt) -> Int {
    let mixed = (first ^ (second &* 31)) &* 0x9E37_79B9_7F4A_7C15
    return Int(mixed >> 40) & (places.count - 1)
  }

  private mutating func resize(to count: Int) {
    let old = (locals, scopes, places)
    locals = Array(repeating: 0, count: count)
    scopes = Array(repeating: 0, count: count)
    places = Array(repeating: -1, count: count)
    for index in old.2.indices where old.2[index] >= 0 {
      var slot = hash(old.0[index], old.1[index])
      while places[slot] >= 0 { slot = (slot + 1) & (count - 1) }
      locals[slot] = old.0[index]
      scopes[slot] = old.1[index]
      places[slot] = old.2[index]
    }
  }

  private mutating func describe(
    _ local: UnsafePointer<UInt8>, prefix: UnsafePointer<UInt8>?, uri: UnsafePointer<UInt8>?
  ) -> Name {
    let name = unsafe String(cString: local)
    let written = unsafe prefix.map { unsafe String(cString: $0) } ?? ""
    let address = unsafe uri.map { unsafe String(cString: $0) }
    let lowered = name.lowercased()
    if names.isEmpty { setRoot(lowered, address) }
    let entry = self.entry(prefix: written, uri: address)
    let tag = Tag(family: entry.family, local: lowered)
    let isOwn = entry.prefix.isEmpty || entry.family == .rss
    let display = isOwn ? name : entry.prefix + ":" + name
    return Name(
      tag: tag, family: entry.family, display: Array(display.utf8), local: Array(name.utf8),
      uri: address)
  }

  private mutating func setRoot(_ local: String, _ uri: String?) {
    rootURI = uri
    defaultFamily = local == "feed" || local == "entry" ? .atom : .rss
  }

  private func entry(prefix: String, uri: String?) -> Namespaces.Entry {
    if let uri, let known = Namespaces.entry(uri: uri) { return known }
    if uri == rootURI, uri != nil || prefix.isEmpty {
      return Namespaces.Entry(prefix: "", family: defaultFamily)
    }
    if uri == nil { return Namespaces.entry(prefix: prefix) }
    let known = Namespaces.entry(prefix: prefix)
    return Namespaces.Entry(prefix: known.prefix, family: prefix.isEmpty ? .other : .other)
  }
}
