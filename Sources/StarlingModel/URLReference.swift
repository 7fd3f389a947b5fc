/// An address, absolute or relative, in the parts of RFC 3986, 3.
///
/// Parsing never fails for want of correctness: what publishers write (blanks, letters beyond
/// ASCII, stray percent signs) is kept as it is. Parts hold their text without delimiters.
public struct URLReference: Hashable, Sendable {
  public var scheme: String?
  /// User, host and port, as in `user@example.com:8080`.
  public var authority: String?
  public var path: String
  public var query: String?
  public var fragment: String?

  /// Takes an address apart (RFC 3986, appendix B); white space at its ends and line breaks and
  /// tabs inside are no part of it (WHATWG URL, 4.4).
  public init(_ text: String) {
    var rest = URLReference.cleaned(text)[...]
    fragment = URLReference.cut(&rest, at: 0x23)
    query = URLReference.cut(&rest, at: 0x3F)
    scheme = URLReference.cutScheme(&rest)
    if rest.starts(with: [0x2F, 0x2F]) {
      let start = rest.startIndex + 2
      let end = rest[start...].firstIndex(of: 0x2F) ?? rest.endIndex
      authority = String(decoding: rest[start..<end], as: UTF8.self)
      rest = rest[end...]
    }
    path = String(decoding: rest, as: UTF8.self)
  }

  private static func cleaned(_ text: String) -> [UInt8] {
    var bytes = Array(text.utf8)
    while let last = bytes.last, last <= 0x20 { bytes.removeLast() }
    let blank = bytes.prefix { $0 <= 0x20 }.count
    bytes.removeFirst(blank)
    bytes.removeAll { $0 == 0x0A || $0 == 0x0D || $0 == 0x09 }
    return bytes
  }

  private static func cut(_ rest: inout ArraySlice<UInt8>, at mark: UInt8) -> String? {
    guard let place = rest.firstIndex(of: mark) else { return nil }
    let part = String(decoding: rest[(place + 1)...], as: UTF8.self)
    rest = rest[..<place]
    return part
  }

  private static func cutScheme(_ rest: inout ArraySlice<UInt8>) -> String? {
    guard let colon = rest.firstIndex(of: 0x3A), colon > rest.startIndex,
      isLetter(rest[rest.startIndex]),
      rest[..<colon].allSatisfy({
        isLetter($0) || isDigit($0) || $0 == 0x2B || $0 == 0x2D || $0 == 0x2E
      })
    else { return nil }
    let part = String(decoding: rest[..<colon], as: UTF8.self)
    rest = rest[(colon + 1)...]
    return part
  }

  static func isLetter(_ byte: UInt8) -> Bool { byte | 0x20 >= 0x61 && byte | 0x20 <= 0x7A }
  static func isDigit(_ byte: UInt8) -> Bool { byte >= 0x30 && byte <= 0x39 }
}

extension URLReference {
  /// The authority without user and port, in lower case; nil when there is none.
  public var host: String? {
    guard let authority else { return nil }
    let bytes = Array(authority.utf8)[URLReference.hostRange(of: authority)]
    return bytes.isEmpty ? nil : String(decoding: bytes, as: UTF8.self).lowercased()
  }

  /// The port that is written, if any.
  public var port: Int? {
    guard let authority else { return nil }
    let bytes = Array(authority.utf8)
    let end = URLReference.hostRange(of: authority).upperBound
    guard end < bytes.count, bytes[end] == 0x3A else { return nil }
    return Int(String(decoding: bytes[(end + 1)...], as: UTF8.self))
  }

  /// What comes before the host, with its `@`.
  private static func hostRange(of authority: String) -> Range<Int> {
    let bytes = Array(authority.utf8)
    let start = bytes.lastIndex(of: 0x40).map { $0 + 1 } ?? 0
    let rest = bytes[start...]
    if rest.first == 0x5B, let close = rest.firstIndex(of: 0x5D) { return start..<(close + 1) }
    return start..<(rest.firstIndex(of: 0x3A) ?? bytes.count)
  }

  /// The address that this one means, seen from a base (RFC 3986, 5.2.2).
  public func resolved(against base: URLReference) -> URLReference {
    var target = self
    if scheme != nil {
      target.path = URLReference.withoutDots(path)
      return target
    }
    target.scheme = base.scheme
    if authority != nil {
      target.path = URLReference.withoutDots(path)
      return target
    }
    target.authority = base.authority
    if path.isEmpty {
      target.path = base.path
      if query == nil { target.query = base.query }
    } else if path.utf8.first == 0x2F {
      target.path = URLReference.withoutDots(path)
    } else {
      target.path = URLReference.withoutDots(URLReference.merged(base, path))
    }
    return target
  }

  /// RFC 3986, 5.2.3.
  private static func merged(_ base: URLReference, _ path: String) -> String {
    if base.authority != nil, base.path.isEmpty { return "/" + path }
    guard let slash = base.path.lastIndex(of: "/") else { return path }
    return base.path[...slash] + path
  }

  /// RFC 3986, 5.2.4, for paths that begin with a slash; others are left alone.
  static func withoutDots(_ path: String) -> String {
    guard path.utf8.first == 0x2F, path.utf8.contains(0x2E) else { return path }
    var kept: [Substring] = []
    let segments = path.dropFirst().split(separator: "/", omittingEmptySubsequences: false)
    for (index, segment) in segments.enumerated() {
      let isLast = index == segments.count - 1
      switch segment {
      case ".": if isLast { kept.append("") }
      case "..":
        _ = kept.popLast()
        if isLast { kept.append("") }
      default: kept.append(segment)
      }
    }
    return "/" + kept.joined(separator: "/")
  }
}

extension URLReference {
  /// The form under which two addresses of one page are equal: scheme and host in lower case,
  /// without default port, fragment and parameters that only count visits (`utm_*`, `fbclid`,
  /// `gclid`, `spm` and their like); an empty path becomes `/`.
  public var canonical: URLReference {
    var result = self
    result.scheme = scheme?.lowercased()
    result.fragment = nil
    result.query = query.flatMap(URLReference.withoutTracking)
    if let authority {
      result.authority = URLReference.canonicalAuthority(authority, scheme: result.scheme)
      if path.isEmpty { result.path = "/" } else { result.path = URLReference.withoutDots(path) }
    }
    return result
  }

  private static func canonicalAuthority(_ authority: String, scheme: String?) -> String {
    let bytes = Array(authority.utf8)
    let range = hostRange(of: authority)
    let host = String(decoding: bytes[range], as: UTF8.self).lowercased()
    let user = String(decoding: bytes[..<range.lowerBound], as: UTF8.self)
    var port = String(decoding: bytes[range.upperBound...], as: UTF8.self)
    if port == ":" || (scheme == "http" && port == ":80") || (scheme == "https" && port == ":443") {
      port = ""
    }
    return user + host + port
  }

  static let trackers: Set<String> = [
    "fbclid", "gclid", "gclsrc", "dclid", "gbraid", "wbraid", "msclkid", "yclid", "twclid",
    "ttclid", "igshid", "igsh", "mc_cid", "mc_eid", "_hsenc", "_hsmi", "mkt_tok", "spm", "scm",
    "ref_src", "ref_url", "cmpid", "ncid", "vero_id", "oly_anon_id", "oly_enc_id", "wickedid",
    "share_token", "at_medium", "at_campaign", "from_source", "share_source", "share_medium",
  ]

  private static func withoutTracking(_ query: String) -> String? {
    let kept = query.split(separator: "&", omittingEmptySubsequences: true).filter { part in
      let name = part.prefix { $0 != "=" }.lowercased()
      return !name.hasPrefix("utm_") && !name.hasPrefix("pk_") && !trackers.contains(name)
    }
    return kept.isEmpty ? nil : kept.joined(separator: "&")
  }

  /// The address that `relative` means, seen from `base`; nil when there is no telling: `relative` is
  /// blank, or relative to a base without a scheme.
  public static func join(_ base: String, _ relative: String) -> String? {
    let reference = URLReference(relative)
    guard reference != URLReference("") else { return nil }
    if reference.scheme != nil { return reference.description }
    let whole = URLReference(base)
    guard whole.scheme != nil else { return nil }
    return reference.resolved(against: whole).description
  }

  /// Whether other addresses can be relative to this one: it is hierarchical and well-formed enough
  /// (RFC 3986, 3 and 4.2) for that to have been meant. Letters beyond ASCII may stand anywhere.
  package var canBeBase: Bool {
    if authority == nil {
      // `mailto:a@e.example` has no hierarchy; without a scheme a colon may not come this early.
      if scheme != nil { return path.utf8.first == 0x2F && isWritten }
      return !path.prefix { $0 != "/" }.contains(":") && isWritten
    }
    let isLocal = scheme?.lowercased() == "file" && authority == ""
    return (isLocal || host != nil && hasPlainPort) && isWritten
  }

  /// Whether nothing in it would have to be escaped.
  private var isWritten: Bool {
    let odd = Set(#" <>"{}|\^`"#.utf8)
    return !description.utf8.contains { $0 < 0x20 || odd.contains($0) }
  }

  private var hasPlainPort: Bool {
    guard let authority else { return true }
    let bytes = Array(authority.utf8)
    let range = URLReference.hostRange(of: authority)
    let rest = bytes[range.upperBound...]
    let isBracketed = bytes[range].first == 0x5B && bytes[range].last == 0x5D
    return !bytes[range].contains { ($0 == 0x5B || $0 == 0x5D) && !isBracketed }
      && (rest.isEmpty || rest.first == 0x3A && rest.dropFirst().allSatisfy(URLReference.isDigit))
  }

  /// The canonical form of an address; nil when it is not absolute.
  public static func canonical(_ url: String) -> String? {
    if let plain = canonicalOfPlain(url) { return plain }
    let reference = URLReference(url)
    guard reference.scheme != nil else { return nil }
    return reference.canonical.description
  }

  /// The host of an absolute address, in lower case.
  public static func host(_ url: String) -> String? {
    URLReference(url).host
  }
}

extension URLReference: CustomStringConvertible {
  /// The whole address (RFC 3986, 5.3).
  public var description: String {
    var text = ""
    if let scheme { text += scheme + ":" }
    if let authority { text += "//" + authority }
    text += path
    if let query { text += "?" + query }
    if let fragment { text += "#" + fragment }
    return text
  }
}
