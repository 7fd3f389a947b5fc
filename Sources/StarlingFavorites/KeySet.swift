/// A set of keys, which compare as bytes: Swift's own set of Strings would hold two spellings of
/// one look for equal.
public struct KeySet: Hashable, Sendable {
  private var keys: Set<[UInt8]> = []

  public init() {}

  public init(_ keys: some Sequence<String>) {
    for key in keys { insert(key) }
  }

  public var count: Int { keys.count }

  public var isEmpty: Bool { keys.isEmpty }

  public func contains(_ key: String) -> Bool {
    keys.contains(Array(key.utf8))
  }

  public mutating func insert(_ key: String) {
    keys.insert(Array(key.utf8))
  }
}
