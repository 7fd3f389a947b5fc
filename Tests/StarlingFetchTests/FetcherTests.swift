import StarlingFetch
import StarlingTestSupport
import Testing

@Suite struct FetcherTests {
  private struct Outcome {
    var response: FetchResponse?
    var error: FetchError?
    var body: [UInt8] = []
    var text: String { String(decoding: body, as: UTF8.self) }
  }

  private func get(_ request: FetchRequest, keepGoing: Bool = true) -> Outcome {
    var outcome = Outcome()
    do {
      outcome.response = try Fetcher(version: "1.2.3").get(request) { _, bytes in
        outcome.body += bytes
        return keepGoing
      }
    } catch {
      outcome.error = error
    }
    return outcome
  }

  @Test("a document comes with its status, type, charset and validators")
  func getsDocument() {
    let server = LocalServer { head in
      LocalServer.response(
        headers: [
          "Content-Type: application/rss+xml; Charset=\"gbk\"", "ETag: \"v1\"",
          "Last-Modified: Mon, 30 Nov 2026 08:00:00 GMT", "Retry-After: 120",
        ], body: Array(head.utf8))
    }
    defer { server.stop() }
    let outcome = get(FetchRequest(url: server.url("/feed")))
    #expect(outcome.error == nil)
    #expect(outcome.text.hasPrefix("GET /feed HTTP/1.1\r\n"))
    #expect(outcome.text.contains("\r\nUser-Agent: starling/1.2.3\r\n"))
    #expect(outcome.text.lowercased().contains("\r\naccept-encoding: "))
    #expect(outcome.response?.status == 200)
    #expect(outcome.response?.url == server.url("/feed"))
    #expect(outcome.response?.charset == "gbk")
    #expect(outcome.response?.etag == "\"v1\"")
    #expect(outcome.response?.lastModified == "Mon, 30 Nov 2026 08:00:00 GMT")
    #expect(outcome.response?.retryAfterSeconds == 120)
    #expect(outcome.response?.byteCount == outcome.body.count)
  }

  @Test("what the caller has already is asked for and not sent again")
  func conditional() {
    let server = LocalServer { head in
      let isKnown =
        head.contains("If-None-Match: \"v1\"\r\n")
        && head.contains("If-Modified-Since: Mon, 30 Nov 2026 08:00:00 GMT\r\n")
      return LocalServer.response(isKnown ? "304 Not Modified" : "200 OK")
    }
    defer { server.stop() }
    var request = FetchRequest(url: server.url("/"))
    request.etag = "\"v1\""
    request.lastModified = "Mon, 30 Nov 2026 08:00:00 GMT"
    #expect(get(request).response?.isNotModified == true)
    request.etag = "\"v1\"\r\nX: y"
    #expect(get(request).response?.status == 200)
  }

  @Test("redirects are followed, relative ones too, and the last URL is told")
  func followsRedirects() {
    let server = LocalServer { head in
      if head.hasPrefix("GET /a/1 ") {
        return LocalServer.response(
          "301 Moved Permanently", headers: ["Location: ../b?x=1"], body: Array("moved".utf8))
      }
      return LocalServer.response(body: Array("here".utf8))
    }
    defer { server.stop() }
    let outcome = get(FetchRequest(url: server.url("/a/1")))
    #expect(outcome.text == "here")
    #expect(outcome.response?.url == server.url("/b?x=1"))
  }

  @Test("a circle of redirects ends at the limit")
  func endsCircles() {
    let server = LocalServer { _ in
      LocalServer.response("302 Found", headers: ["Location: /again"])
    }
    defer { server.stop() }
    var request = FetchRequest(url: server.url("/"))
    request.redirectLimit = 3
    let error = get(request).error
    #expect(error == .tooManyRedirects(url: request.url, limit: 3))
  }

  @Test("a redirect to another scheme, or to where the caller does not go, is refused")
  func refusesRedirects() {
    let server = LocalServer { head in
      LocalServer.response(
        "302 Found",
        headers: [head.hasPrefix("GET /file") ? "Location: file:///etc/passwd" : "Location: /x"])
    }
    defer { server.stop() }
    let toFile = get(FetchRequest(url: server.url("/file"))).error
    #expect(toFile == .refusedRedirect(url: server.url("/file"), to: "file:///etc/passwd"))
    var request = FetchRequest(url: server.url("/"))
    request.allowsRedirect = { _ in false }
    #expect(get(request).error == .refusedRedirect(url: server.url("/"), to: server.url("/x")))
  }

  @Test("an error status is told, and its page is nobody's document")
  func reportsStatus() {
    let server = LocalServer { _ in
      LocalServer.response("404 Not Found", body: Array("<html>".utf8))
    }
    defer { server.stop() }
    let outcome = get(FetchRequest(url: server.url("/gone")))
    #expect(outcome.error == .status(404, url: server.url("/gone")))
    #expect(outcome.error?.description == "\(server.url("/gone")): HTTP 404 Not Found")
    #expect(outcome.body.isEmpty)
  }

  @Test("a body beyond the limit ends the request")
  func limitsSize() {
    let server = LocalServer { _ in
      LocalServer.response(body: [UInt8](repeating: 0x61, count: 300_000))
    }
    defer { server.stop() }
    var request = FetchRequest(url: server.url("/"))
    request.sizeLimitBytes = 300_000
    #expect(get(request).body.count == 300_000)
    request.sizeLimitBytes = 299_999
    let outcome = get(request)
    #expect(outcome.error == .tooLarge(url: request.url, limitBytes: 299_999))
    #expect(outcome.body.count <= 299_999)
  }

  @Test("a compressed body is limited by what it unfolds to")
  func decompresses() {
    // 10,000 times "a", as gzip has it.
    let gzip: [UInt8] = [
      0x1F, 0x8B, 0x08, 0x00, 0x00, 0x00, 0x00, 0x00, 0x02, 0x03, 0xED, 0xC1, 0x01, 0x0D, 0x00,
      0x00, 0x00, 0xC2, 0xA0, 0xAC, 0xEF, 0x5F, 0xC2, 0x1C, 0x6E, 0x40, 0x01, 0x00, 0x00, 0x00,
      0x00, 0x00, 0x00, 0x00, 0x00, 0xC0, 0xBF, 0x01, 0x97, 0xD4, 0x7E, 0x46, 0x10, 0x27, 0x00,
      0x00,
    ]
    let server = LocalServer { _ in
      LocalServer.response(headers: ["Content-Encoding: gzip"], body: gzip)
    }
    defer { server.stop() }
    var request = FetchRequest(url: server.url("/"))
    #expect(get(request).body == [UInt8](repeating: 0x61, count: 10_000))
    request.sizeLimitBytes = 5000
    #expect(get(request).error == .tooLarge(url: request.url, limitBytes: 5000))
  }

  @Test("a server that says nothing is given up after the time-out")
  func timesOut() {
    let server = LocalServer { _ in .hang([]) }
    defer { server.stop() }
    var request = FetchRequest(url: server.url("/"))
    request.timeoutMilliseconds = 150
    let error = get(request).error
    #expect(error == .timedOut(url: request.url, seconds: 0.15))
    #expect(error?.description == "\(request.url): timed out after 0.15 s")
  }

  @Test("a body that breaks off is an error")
  func reportsCut() {
    let server = LocalServer { _ in
      .bytes(Array("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nabc".utf8))
    }
    defer { server.stop() }
    guard case .failed = get(FetchRequest(url: server.url("/"))).error else {
      Issue.record("no error")
      return
    }
  }

  @Test("the caller ends a request by its answer, or when it is asked")
  func cancels() {
    let server = LocalServer { head in
      head.hasPrefix("GET /hang") ? .hang([]) : LocalServer.response(body: [1, 2, 3])
    }
    defer { server.stop() }
    let request = FetchRequest(url: server.url("/"))
    #expect(get(request, keepGoing: false).error == .cancelled(url: request.url))
    var hanging = FetchRequest(url: server.url("/hang"))
    hanging.isCancelled = { true }
    #expect(get(hanging).error == .cancelled(url: hanging.url))
  }

  @Test("nobody listening and nobody of that name are told apart")
  func reportsConnections() {
    let server = LocalServer { _ in .bytes([]) }
    let url = server.url("/")
    server.stop()
    guard case .refused = get(FetchRequest(url: url)).error else {
      Issue.record("not refused")
      return
    }
    let unknown = FetchRequest(url: "http://no-such-host.invalid/")
    #expect(get(unknown).error == .unresolved(url: unknown.url))
  }

  @Test(
    "what is no http URL is refused unasked",
    arguments: ["file:///etc/passwd", "ftp://h/x", "feed.xml", "", "http:", "gopher://h"])
  func refusesURLs(_ url: String) {
    #expect(get(FetchRequest(url: url)).error == .badURL(url))
  }

  @Test("one fetcher serves many requests")
  func isReused() throws {
    let server = LocalServer { _ in LocalServer.response(body: [0x61]) }
    defer { server.stop() }
    let fetcher = Fetcher(version: "1")
    for _ in 0..<20 {
      var count = 0
      _ = try fetcher.get(FetchRequest(url: server.url("/"))) { _, bytes in
        count += bytes.count
        return true
      }
      #expect(count == 1)
    }
  }

  @Test("errors do not show a password")
  func hidesPasswords() {
    let error = FetchError.unresolved(url: "https://user:secret@host.example/a@b")
    #expect(
      error.description == "https://host.example/a@b: the host's name could not be resolved")
    #expect(
      FetchError.libraryMissing("libcurl.so.4: cannot open").description
        == "cannot fetch URLs: libcurl.so.4: cannot open: install libcurl (apt-get install libcurl4)"
    )
  }
}
