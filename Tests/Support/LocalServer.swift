import Glibc

/// A small HTTP server on 127.0.0.1 for one test: each connection is one request, answered by the
/// bytes that `answer` gives for its head.
package final class LocalServer: @unchecked Sendable {
  package enum Answer: Sendable {
    case bytes([UInt8])
    /// The bytes, and then silence until the client leaves.
    case hang([UInt8])
  }

  package let port: UInt16
  private let listener: Int32
  private let answer: @Sendable (_ head: String) -> Answer

  package init(answer: @escaping @Sendable (_ head: String) -> Answer) {
    self.answer = answer
    let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    var bound = sockaddr_in()
    withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        _ = bind(listener, $0, length)
      }
    }
    listen(listener, 16)
    withUnsafeMutablePointer(to: &bound) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        _ = getsockname(listener, $0, &length)
      }
    }
    self.listener = listener
    port = UInt16(bigEndian: bound.sin_port)
    start { server in server.acceptAll() }
  }

  package func url(_ path: String) -> String { "http://127.0.0.1:\(port)\(path)" }

  /// Ends the server; a test calls it when it is done. The accepting thread closes the socket: its
  /// number may belong to another test's server as soon as it is closed.
  package func stop() {
    shutdown(listener, Int32(SHUT_RDWR))
  }

  package static func response(
    _ status: String = "200 OK", headers: [String] = [], body: [UInt8] = []
  ) -> Answer {
    let lines = ["HTTP/1.1 \(status)", "Connection: close", "Content-Length: \(body.count)"]
    let head = (lines + headers).joined(separator: "\r\n") + "\r\n\r\n"
    return .bytes(Array(head.utf8) + body)
  }

  private func start(_ work: @escaping @Sendable (LocalServer) -> Void) {
    final class Box {
      let work: () -> Void
      init(_ work: @escaping () -> Void) { self.work = work }
    }
    let box = Unmanaged.passRetained(Box { work(self) })
    var thread = pthread_t()
    pthread_create(
      &thread, nil,
      { pointer in
        if let pointer { Unmanaged<Box>.fromOpaque(pointer).takeRetainedValue().work() }
        return nil
      }, box.toOpaque())
    pthread_detach(thread)
  }

  private func acceptAll() {
    while true {
      let connection = accept(listener, nil, nil)
      guard connection >= 0 else {
        close(listener)
        return
      }
      start { $0.serve(connection) }
    }
  }

  private func serve(_ connection: Int32) {
    defer { close(connection) }
    var head: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 4096)
    while !head.suffix(4).elementsEqual("\r\n\r\n".utf8) {
      let count = recv(connection, &buffer, buffer.count, 0)
      guard count > 0 else { return }
      head += buffer[..<count]
    }
    switch answer(String(decoding: head, as: UTF8.self)) {
    case .bytes(let bytes): write(bytes, to: connection)
    case .hang(let bytes):
      write(bytes, to: connection)
      _ = recv(connection, &buffer, buffer.count, 0)
    }
  }

  private func write(_ bytes: [UInt8], to connection: Int32) {
    var sent = 0
    while sent < bytes.count {
      let count = bytes[sent...].withUnsafeBytes {
        send(connection, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
      }
      guard count > 0 else { return }
      sent += count
    }
  }
}
