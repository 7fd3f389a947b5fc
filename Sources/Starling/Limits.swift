/// What Lua may use: for each call of a plugin, each run of the rules over one feed, each script.
public struct Limits: Sendable, Equatable {
  /// Wall-clock time of one call into Lua.
  public var time: Duration
  /// Memory of one Lua state, in bytes.
  public var memoryBytes: Int

  public init(time: Duration = .seconds(5), memoryBytes: Int = 64 << 20) {
    self.time = time
    self.memoryBytes = memoryBytes
  }

  /// A plugin's call and a rule's: five seconds and 64 MB.
  public static let plugin = Limits()
  /// A script has no deadline of its own unless one is asked for; Ctrl-C ends it.
  public static let script = Limits(time: .seconds(86_400 * 365), memoryBytes: 1 << 30)
}

extension Limits {
  /// Reads a time such as `500ms`, `5s`, `2m` or `1h`; a bare number is seconds.
  public static func time(parsing text: String) -> Duration? {
    guard let (number, unit) = split(text), number > 0 else { return nil }
    switch unit {
    case "ms": return .milliseconds(number)
    case "", "s": return .milliseconds(number * 1_000)
    case "m", "min": return .milliseconds(number * 60_000)
    case "h": return .milliseconds(number * 3_600_000)
    default: return nil
    }
  }

  /// Reads a size such as `64MB`, `512KB` or `1GB`, in powers of 1024; a bare number is bytes.
  public static func memoryBytes(parsing text: String) -> Int? {
    guard let (number, unit) = split(text.lowercased()), number > 0 else { return nil }
    let shifts = ["": 0, "b": 0, "k": 10, "kb": 10, "m": 20, "mb": 20, "g": 30, "gb": 30]
    guard let shift = shifts[unit] else { return nil }
    let bytes = number * Double(1 << shift)
    return bytes < 9e15 ? Int(bytes) : nil
  }

  private static func split(_ text: String) -> (number: Double, unit: String)? {
    let digits = text.prefix { $0.isASCII && ($0.isNumber || $0 == ".") }
    guard let number = Double(digits), number.isFinite, number < 1e12 else { return nil }
    return (number, String(text.dropFirst(digits.count)))
  }
}
