/// The one rule for what an item is called, so that a feed gives the same items when it is loaded
/// again, reordered or grown.
///
/// 1. The feed's own id: RSS `guid`, Atom `id`, JSON Feed `id`, `dc:identifier`, RDF `rdf:about`;
///    white space at its ends is no part of it. Ids are kept as published: `007` is not `7`, and
///    case and percent signs stay.
/// 2. Without one, the item's address (also that of its first enclosure).
/// 3. Without both, `fnv:` and a hash of title and time of publication; without either of these, of
///    title, summary, content and time. A corrected text is then the same item still.
///
/// What becomes of ids when items become entities:
///
/// - **Moved.** A key that is a web address is the same under `http:` and `https:`, because sites
///   move between them. The entity keeps its favorites, tags and refusals, takes the `https:` key,
///   and is found under the old one; an `http:` key that comes later changes nothing of it.
/// - **Repeated.** Of several items of one document that give the same entity the first counts; the
///   others fill in what it lacks, and one that adds no entity is a duplicate, which is reported.
/// - **Shared.** Items without an address that share an id, but neither title nor time of
///   publication, are different things with a useless id. The oldest keeps it; the others have their
///   time behind it (`shared`), also when the oldest is no longer in the feed.
package enum ItemIdentity {
  /// The id of an item that has neither an id nor an address of its own.
  package static func made(of parts: [ArraySlice<UInt8>]) -> String {
    var high = FNV(seed: 0xCBF2_9CE4_8422_2325)
    var low = FNV(seed: 0x84222325_CBF29CE4)
    for part in parts {
      high.add(part)
      low.add(part)
    }
    return "fnv:" + hex(high.value) + hex(low.value)
  }

  /// The key of an item that shares its id with an older one.
  package static func shared(_ key: String, published: Timestamp) -> String {
    "\(key)@\(published)"
  }

  /// A key's schemes: which it has, told from its first bytes.
  package enum Scheme: Sendable {
    case http
    case https

    fileprivate var prefix: String.UTF8View { (self == .http ? "http://" : "https://").utf8 }
    package var other: Scheme { self == .http ? .https : .http }
  }

  /// The scheme of a key that is a web address; nil for any other.
  package static func scheme(_ key: UnsafeRawBufferPointer) -> Scheme? {
    // `https://` is one byte longer than `http://`.
    guard key.count > 8, unsafe key[0] == UInt8(ascii: "h"), unsafe key[3] == UInt8(ascii: "p")
    else { return nil }
    if unsafe key.starts(with: Scheme.https.prefix) { return .https }
    return unsafe key.starts(with: Scheme.http.prefix) ? .http : nil
  }

  /// The same address with the other scheme.
  package static func moved(_ key: UnsafeRawBufferPointer, from scheme: Scheme) -> [UInt8] {
    unsafe Array(scheme.other.prefix) + key.dropFirst(scheme.prefix.count)
  }

  private static func hex(_ value: UInt64) -> String {
    let digits = String(value, radix: 16)
    return String(repeating: "0", count: 16 - digits.utf8.count) + digits
  }
}

/// The FNV-1a hash: the same in every process and on every machine.
private struct FNV {
  var value: UInt64

  init(seed: UInt64) {
    value = seed
  }

  mutating func add(_ bytes: ArraySlice<UInt8>) {
    for byte in bytes { value = (value ^ UInt64(byte)) &* 0x0000_0100_0000_01B3 }
    value = (value ^ 0xFF) &* 0x0000_0100_0000_01B3
  }
}
