import StarlingModel

/// Why a file of rules is not used: everything that was found wrong in it, in the order of lines.
public struct RulesError: Error, Hashable, Sendable, CustomStringConvertible {
  public var faults: [RuleFault]

  public init(_ faults: [RuleFault]) {
    self.faults = faults.sorted { ($0.location?.line ?? 0) < ($1.location?.line ?? 0) }
  }

  /// One line for each fault.
  public var description: String {
    faults.map(\.description).joined(separator: "\n")
  }
}
