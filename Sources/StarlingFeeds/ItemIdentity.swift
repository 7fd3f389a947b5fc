/// The one rule for what an item is called, so that a feed gives the same items when it is loaded
/// again, reordered or grown.
///
/// 1. The feed's own id: RSS `guid`, Atom `id`, JSON Feed `id`, `dc:identifier`, RDF `rdf:about`;
///    white space at its ends is no part of it. Ids are kept as published: `007` is not `7`, and
///    case and percent signs stay.
/// 2. Without one, the item's address (also that of its first enclosure).
/// 3. Without both, `fnv:` and a hash of title, summary, content and time of publication: two items
///    differ when what they say differs, and equal ones are one.
///
/// Ids shared by items of one feed are left as they are: whoever stores the items decides, and the
/// second of two is the newer. `stable` makes the key under which ids are compared: `http:` and
/// `https:` are one, because feeds move between them.
package enum ItemIdentity {
  /// The id as it is compared: a web address without its scheme, anything else unchanged.
  package static func stable(_ id: String) -> String {
    for scheme in ["https:", "http:"] where id.utf8.count > scheme.utf8.count {
      if id.utf8.prefix(scheme.utf8.count).elementsEqual(scheme.utf8) {
        return String(id.dropFirst(scheme.count))
      }
    }
    return id
  }

  /// The id of an item that has neither an id nor an address of its own.
  static func made(of parts: [ArraySlice<UInt8>]) -> String {
    var high = FNV(seed: 0xCBF2_9CE4_8422_2325)
    var low = FNV(seed: 0x84222325_CBF29CE4)
    for part in parts {
      high.add(part)
      low.add(part)
    }
    return "fnv:" + hex(high.value) + hex(low.value)
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
