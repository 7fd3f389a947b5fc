import StarlingTestSupport
import Synchronization
import Testing

@testable import Starling

/// `http.get` where the server sends the request elsewhere.
@Suite struct RedirectTests {
  /// The requests that came, in their order.
  private final class Requests: Sendable {
    private let paths = Mutex<[String]>([])

    var all: [String] { paths.withLock { $0 } }

    func add(_ head: String) {
      let words = head.split(separator: " ")
      paths.withLock { $0.append(words.count > 1 ? String(words[1]) : head) }
    }
  }

  /// A server that answers `/to/ADDRESS` with a redirect to the address, else with `here`.
  private static func server(_ requests: Requests) -> LocalServer {
    LocalServer { head in
      requests.add(head)
      let path = head.split(separator: " ")[1]
      guard path.hasPrefix("/to/") else { return LocalServer.response(body: Array("here".utf8)) }
      return LocalServer.response("302 Found", headers: ["Location: \(path.dropFirst(4))"])
    }
  }

  /// What a script with a grant says of `http.get(url)`.
  private func get(_ url: String, allowing hosts: [String]) throws -> String {
    var output: [UInt8] = []
    let io = ScriptIO(write: { piece in
      output += piece
      return true
    })
    let code = "local body, r = http.get(arg[1]) io.write(body or r, ' ', body and r.url or '')"
    try Host(Host.Configuration(database: .memory)).run(
      Script([.code(code)], arguments: [url], permissions: Permissions(net: hosts)), io: io)
    return String(decoding: output, as: UTF8.self)
  }

  @Test("one to the same host is followed, relative and absolute")
  func same() throws {
    let requests = Requests()
    let server = Self.server(requests)
    defer { server.stop() }
    let end = server.url("/end")
    #expect(try get(server.url("/to//end"), allowing: ["127.0.0.1"]) == "here " + end)
    #expect(
      try get(server.url("/to/" + end), allowing: ["127.0.0.1:\(server.port)"]) == "here " + end)
    #expect(requests.all == ["/to//end", "/end", "/to/" + end, "/end"])
  }

  @Test("one to another name is refused, and the request never arrives")
  func otherName() throws {
    let requests = Requests()
    let server = Self.server(requests)
    defer { server.stop() }
    for target in [
      "http://localhost:\(server.port)/end", "//localhost:\(server.port)/end",
      "http://127.0.0.1@localhost:\(server.port)/end", "file:///etc/passwd",
    ] {
      let said = try get(server.url("/to/" + target), allowing: ["127.0.0.1"])
      #expect(said.contains("redirect"), "\(said)")
      let names = said.contains("; --allow-net=localhost would allow it")
      #expect(names == !target.hasPrefix("file:"), "\(said)")
      #expect(!said.contains("here"))
    }
    #expect(requests.all.allSatisfy { $0.hasPrefix("/to/") })
    // The other name is as good as granted once it is.
    let both = try get(
      server.url("/to/http://localhost:\(server.port)/end"), allowing: ["127.0.0.1", "localhost"])
    #expect(both.hasPrefix("here http://localhost:"))
  }

  @Test("one to another port is refused where the grant names a port, and followed where not")
  func otherPort() throws {
    let (requests, others) = (Requests(), Requests())
    let (server, other) = (Self.server(requests), Self.server(others))
    defer { [server, other].forEach { $0.stop() } }
    let url = server.url("/to/" + other.url("/end"))
    let refused = try get(url, allowing: ["127.0.0.1:\(server.port)"])
    #expect(refused.contains("redirect"), "\(refused)")
    #expect(others.all == [])
    #expect(try get(url, allowing: ["127.0.0.1"]) == "here " + other.url("/end"))
    #expect(others.all == ["/end"])
  }

  @Test("a chain that leaves the host in its middle ends there")
  func chain() throws {
    let (requests, others) = (Requests(), Requests())
    let (server, other) = (Self.server(requests), Self.server(others))
    defer { [server, other].forEach { $0.stop() } }
    let back = other.url("/to/" + server.url("/end"))
    let said = try get(
      server.url("/to/" + server.url("/to/" + back)), allowing: ["127.0.0.1:\(server.port)"])
    #expect(said.contains("redirect"), "\(said)")
    #expect(requests.all.count == 2)
    #expect(others.all == [])
  }
}
