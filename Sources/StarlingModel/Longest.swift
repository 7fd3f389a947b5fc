/// How long what is kept of favorites may be, so that whoever asks for it later can hold it: a script
/// has little memory. Entities' fields have a limit of their own (16 MB in all).
package enum Longest {
  /// A key, in bytes of UTF-8. Addresses are keys, and every server takes some of 8000 bytes
  /// (RFC 9110, 4.1).
  package static let key = 8 << 10
  /// A note, in bytes.
  package static let note = 64 << 10
  /// A tag, in bytes.
  package static let tag = 256
  /// Tags that are given at once: by a rule, or in one call.
  package static let tagsAtOnce = 100
  /// The name of a rule, in bytes.
  package static let name = 256

  /// Why a key cannot be kept; nil when it can.
  package static func faultOfKey(_ bytes: Int) -> String? {
    fault("the key", bytes, Longest.key)
  }

  /// Why a note cannot be kept; nil when it can.
  package static func fault(ofNote note: String?) -> String? {
    note.flatMap { fault("the note", $0.utf8.count, Longest.note) }
  }

  /// Why tags cannot be given; nil when they can.
  package static func fault(ofTags tags: [String]) -> String? {
    if tags.count > tagsAtOnce {
      return "\(tags.count) tags at once; at most \(tagsAtOnce) can be given"
    }
    return tags.lazy.compactMap { fault("a tag", $0.utf8.count, Longest.tag) }.first
  }

  /// Why a rule cannot have this name; nil when it can.
  package static func fault(ofName name: String) -> String? {
    fault("the name", name.utf8.count, Longest.name)
  }

  private static func fault(_ what: String, _ bytes: Int, _ most: Int) -> String? {
    bytes > most ? "\(what) has \(bytes) bytes; at most \(most) can be kept" : nil
  }
}
