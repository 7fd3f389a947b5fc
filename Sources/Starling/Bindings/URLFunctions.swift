import StarlingLua
import StarlingModel

/// `url.*`: addresses (RFC 3986).
enum URLFunctions {
  static let all: [ApiFunction] = [
    ApiFunction(
      "url.join", in: .everywhere,
      [
        .optional("base", .string, "an absolute address"),
        .optional("relative", .string, "an address as it stands in a page: `/t/5`, `//host/p.jpg`"),
      ],
      returns: [ApiResult(type: .string, isOptional: true, help: "the absolute address, or nil")],
      help: "The absolute address that one in a page means, or nil when there is no telling."
    ) { _, call, results throws(LuaError) in
      guard let relative = try call.text(2, atMost: longest) else { return results.pushNil() }
      results.push(orNil: URLReference.join(try call.text(1, atMost: longest) ?? "", relative))
    },
    ApiFunction(
      "url.canonical", in: .everywhere, [address],
      returns: [ApiResult(type: .string, isOptional: true, help: "nil unless it is absolute")],
      help: "The form in which two addresses of one page are equal: no fragment, no utm_*."
    ) { _, call, results throws(LuaError) in
      results.push(orNil: try call.text(1, atMost: longest).flatMap { URLReference.canonical($0) })
    },
    ApiFunction(
      "url.host", in: .everywhere, [address],
      returns: [ApiResult(type: .string, isOptional: true, help: "in lower case, or nil")],
      help: "The host of an address, in lower case, without port."
    ) { _, call, results throws(LuaError) in
      results.push(orNil: try call.text(1, atMost: longest).flatMap { URLReference.host($0) })
    },
    ApiFunction(
      "url.parse", in: .everywhere, [address],
      returns: [ApiResult(type: .shape("starling.URL"), isOptional: true, help: "its parts")],
      help: "Takes an address apart: scheme, host, port, path, query (a table), fragment."
    ) { _, call, results throws(LuaError) in
      guard let text = try call.text(1, atMost: longest) else { return results.pushNil() }
      try results.push(parts: URLReference(text))
    },
  ]

  /// Bytes; what is longer is no address.
  private static let longest = 1 << 20

  private static let address = ApiParameter.optional(
    "address", .string, "an address; nil gives nil")
}

extension LuaWriter {
  /// Pushes a table of the parts that are there.
  fileprivate mutating func push(parts url: URLReference) throws(LuaError) {
    try table(fields: 6) { table throws(LuaError) in
      let texts = [
        ("scheme", url.scheme?.lowercased()), ("host", url.host), ("path", url.path),
        ("fragment", url.fragment),
      ]
      for (name, text) in texts {
        if let text { try table.set(named: name) { $0.push(text) } }
      }
      if let port = url.port { try table.set(named: "port") { $0.push(Int64(port)) } }
      try table.set(named: "query") { query throws(LuaError) in
        try query.push(parameters: url.query ?? "")
      }
    }
  }

  /// Pushes a table of the parameters of a query, decoded; of equal names the first is kept.
  private mutating func push(parameters query: String) throws(LuaError) {
    var seen: Set<[UInt8]> = []
    try table { table throws(LuaError) in
      for part in query.utf8.split(separator: UInt8(ascii: "&")) {
        let pair = part.split(
          separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
        let name = PercentCoding.decoded(pair[0])
        guard seen.insert(name).inserted else { continue }
        let value = pair.count > 1 ? PercentCoding.decoded(pair[1]) : []
        let bytes = name.span
        try unsafe bytes.withUnsafeBytes { name throws(LuaError) in
          try unsafe table.set(named: name) { $0.push(value) }
        }
      }
    }
  }
}

/// Percent-encoding as forms use it (RFC 3986, 2.1; a plus sign is a space).
enum PercentCoding {
  static func decoded(_ text: some Collection<UInt8>) -> [UInt8] {
    var result: [UInt8] = []
    var rest = text[...]
    while let byte = rest.popFirst() {
      if byte == UInt8(ascii: "%"), let high = digit(rest.first),
        let low = digit(rest.dropFirst().first)
      {
        result.append(high << 4 | low)
        rest = rest.dropFirst(2)
      } else {
        result.append(byte == UInt8(ascii: "+") ? UInt8(ascii: " ") : byte)
      }
    }
    return result
  }

  private static func digit(_ byte: UInt8?) -> UInt8? {
    switch byte {
    case .some(let byte) where byte >= 0x30 && byte <= 0x39: byte - 0x30
    case .some(let byte) where byte | 0x20 >= 0x61 && byte | 0x20 <= 0x66: (byte | 0x20) - 0x57
    default: nil
    }
  }
}
