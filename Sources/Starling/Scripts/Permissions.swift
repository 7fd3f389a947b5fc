import StarlingModel

/// What a script may do beyond the favorites and its streams. Nothing, unless it is granted.
public struct Permissions: Sendable, Equatable {
  /// Files and folders that it may read, with all that is in them.
  public var read: [String]
  /// Files and folders that it may write.
  public var write: [String]
  /// Hosts that it may fetch from: `news.example`, or `news.example:8080`.
  public var net: [String]
  /// Names of environment variables that it may read.
  public var env: [String]
  /// Programs that it may run.
  public var run: [String]

  public init(
    read: [String] = [], write: [String] = [], net: [String] = [], env: [String] = [],
    run: [String] = []
  ) {
    self.read = read
    self.write = write
    self.net = net
    self.env = env
    self.run = run
  }

  public static let none = Permissions()

  /// What can be granted; the raw value is the flag's name.
  enum Right: String {
    case read = "--allow-read"
    case write = "--allow-write"
    case net = "--allow-net"
    case env = "--allow-env"
    case run = "--allow-run"
  }

  /// The error for what was not granted, which names the flag that would grant it, as a shell takes it:
  /// the script chose what is in it.
  static func refusal(_ action: String, _ right: Right, _ value: String) -> HostError {
    let flag = right.rawValue + "=" + shellWord(value)
    return HostError(.permission, "\(action) is not allowed; \(flag) would allow it")
  }

  /// A text as one word of a POSIX shell; with control characters in it, of bash and the like.
  static func shellWord(_ text: String) -> String {
    let plain: (UInt8) -> Bool = { byte in
      byte >= 0x80 || (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte)
        || (0x61...0x7A).contains(byte) || "_./:@%+,-[]".utf8.contains(byte)
    }
    if !text.isEmpty, text.utf8.allSatisfy(plain) { return text }
    let isPrintable = text.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value != 0x7F }
    if isPrintable {
      return "'"
        + text.split(separator: "'", omittingEmptySubsequences: false)
        .joined(separator: "'\\''") + "'"
    }
    let quoted = text.unicodeScalars.map { scalar in
      switch scalar {
      case "'", "\\": "\\" + String(scalar)
      case _ where scalar.value < 0x20 || scalar.value == 0x7F:
        "\\x" + (scalar.value < 16 ? "0" : "") + String(scalar.value, radix: 16)
      default: String(scalar)
      }
    }
    return "$'" + quoted.joined() + "'"
  }

  /// The true path of a file that may be read.
  ///
  /// Links are followed before the check, so that no link leads out of what was granted. Whether a
  /// file exists, and where a link leads, is told only where the folder may be read.
  ///
  func readable(_ path: String) throws(HostError) -> String {
    let real = Files.resolved(path)
    if let real, Self.holds(read, real) { return real }
    let folder = Files.folder(path)
    let mayLook = Files.resolved(folder).map { Self.holds(read, $0) } ?? false
    guard mayLook || read.contains(path) else {
      throw Self.refusal("reading \(path)", .read, path)
    }
    guard let real else { throw HostError(.host, "no such file or folder", subject: path) }
    throw Self.refusal("reading \(path)", .read, real)
  }

  /// The true path of a file that may be written; it need not exist.
  func writable(_ path: String) throws(HostError) -> String {
    let name = Files.name(path)
    guard !name.isEmpty, name != ".", name != ".." else {
      throw HostError(.host, "no file can be written there", subject: path)
    }
    let folder = Files.folder(path)
    if let place = Files.place(path) {
      guard Self.holds(write, place) else { throw Self.refusal("writing \(path)", .write, path) }
      guard Files.isLink(path) else { return place }
      // Such as /dev/stdout, which is what a descriptor of this process happens to be.
      guard !["/dev", "/proc"].contains(where: { Files.isIn($0, place) }) else {
        throw HostError(.host, "not a file", subject: path)
      }
      // What it leads to is written, and must be granted itself.
      guard let target = Files.resolved(path) else {
        throw HostError(.host, "a link that leads nowhere", subject: path)
      }
      if Self.holds(write, target) { return target }
      throw Self.refusal("writing \(path), a link that leads elsewhere,", .write, path)
    } else if write.contains(path) || Self.holds(write, Files.nearestFolder(folder)) {
      throw HostError(.host, "its folder does not exist", subject: path)
    }
    throw Self.refusal("writing \(path)", .write, path)
  }

  /// Whether an address is on a host that may be fetched from; a grant with a port is for that port.
  func mayFetch(_ address: String) -> Bool {
    // What readers of addresses disagree about is no address.
    guard address.utf8.allSatisfy({ $0 > 0x20 && $0 != 0x7F && $0 != UInt8(ascii: "\\") }) else {
      return false
    }
    let url = URLReference(address)
    guard let host = url.host, let scheme = url.scheme?.lowercased(),
      scheme == "http" || scheme == "https"
    else { return false }
    let port = url.port ?? (scheme == "http" ? 80 : 443)
    return net.contains { grant in
      let grant = grant.lowercased()
      return grant == host || grant == "\(host):\(port)"
    }
  }

  func checkFetch(_ address: String) throws(HostError) {
    if mayFetch(address) { return }
    guard !address.utf8.contains(where: { $0 <= 0x20 || $0 == 0x7F || $0 == UInt8(ascii: "\\") })
    else {
      throw HostError(
        .host, "no address: there is a blank, a backslash or a control character in it",
        subject: address)
    }
    let url = URLReference(address)
    // No grant lets anything else be fetched.
    guard let host = url.host, let scheme = url.scheme?.lowercased(),
      scheme == "http" || scheme == "https"
    else {
      throw HostError(.host, "an absolute http or https address is needed", subject: address)
    }
    throw Self.refusal("fetching from \(host)", .net, host)
  }

  /// The flag that would let an address be fetched; nil where it is granted, or none would.
  func flag(forFetching address: String) -> String? {
    let url = URLReference(address)
    guard !mayFetch(address), let host = url.host, let scheme = url.scheme?.lowercased(),
      scheme == "http" || scheme == "https"
    else { return nil }
    return Right.net.rawValue + "=" + Self.shellWord(host)
  }

  /// Whether a text can be a host that is granted: a name or an address, with a port or without.
  package static func isHost(_ text: String) -> Bool {
    guard text.utf8.allSatisfy({ $0 > 0x20 && $0 != 0x7F }),
      !text.contains(where: { "*,/\\@?#".contains($0) })
    else { return false }
    let url = URLReference("http://\(text)/")
    guard let host = url.host, !host.isEmpty else { return false }
    guard (1...65535).contains(url.port ?? 80) else { return false }
    let port = url.port.map { ":\($0)" } ?? ""
    return text.lowercased() == host + port
  }

  func checkEnvironment(_ name: String) throws(HostError) {
    guard env.contains(name) else {
      throw Self.refusal("reading the environment variable \(name)", .env, name)
    }
  }

  /// Whether a true path is one of those granted, or inside one.
  private static func holds(_ granted: [String], _ real: String) -> Bool {
    granted.contains { path in
      // A file that is still to be made is granted by its name.
      if Files.place(path) == real { return true }
      return Files.resolved(path).map { Files.isIn($0, real) } ?? false
    }
  }
}
