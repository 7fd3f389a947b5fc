#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// The three pipes between a host and a program that it runs.
final class ChildPipes {
  enum Stream: Int {
    case input
    case output
    case errors
  }

  /// The program's ends, in the order of its descriptors 0, 1 and 2.
  private(set) var childEnds: [Int32] = []
  /// Ours, nil once closed.
  private var ends: [Int32?] = []

  init() throws(HostError) {
    for stream in [Stream.input, .output, .errors] {
      var pair: [Int32] = [-1, -1]
      guard unsafe pipe(&pair) == 0 else {
        let reason = Files.lastReason()
        close()
        throw HostError(.host, reason, subject: "a pipe")
      }
      let ours = stream == .input ? pair[1] : pair[0]
      for end in pair { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
      _ = fcntl(ours, F_SETFL, O_NONBLOCK)
      childEnds.append(stream == .input ? pair[0] : pair[1])
      ends.append(ours)
    }
  }

  func closeChildEnds() {
    for end in childEnds { Self.close(end) }
    childEnds = []
  }

  func close() {
    closeChildEnds()
    for place in ends.indices { close(place) }
  }

  func closeInput() { close(Stream.input.rawValue) }

  func isOpen(_ stream: Stream) -> Bool { ends[stream.rawValue] != nil }

  private func close(_ place: Int) {
    if let end = ends[place] { Self.close(end) }
    ends[place] = nil
  }

  private static func close(_ descriptor: Int32) {
    #if canImport(Glibc)
      Glibc.close(descriptor)
    #elseif canImport(Musl)
      Musl.close(descriptor)
    #else
      Darwin.close(descriptor)
    #endif
  }

  /// Waits until something can be sent or taken.
  func wait(milliseconds: Int32) -> Set<Stream> {
    var requests: [pollfd] = []
    var streams: [Stream] = []
    for stream in [Stream.input, .output, .errors] {
      guard let end = ends[stream.rawValue] else { continue }
      let events = stream == .input ? POLLOUT : POLLIN
      requests.append(pollfd(fd: end, events: Int16(events), revents: 0))
      streams.append(stream)
    }
    guard unsafe poll(&requests, nfds_t(requests.count), milliseconds) > 0 else { return [] }
    return Set(zip(streams, requests).filter { $0.1.revents != 0 }.map(\.0))
  }

  /// Sends what the pipe takes.
  ///
  /// - Returns: how many bytes; all of them when the program reads no more.
  func send(_ bytes: ArraySlice<UInt8>) -> Int {
    guard let end = ends[Stream.input.rawValue] else { return bytes.count }
    // A program that does not read must not end its host.
    var pipeSignal = sigset_t()
    var before = sigset_t()
    unsafe sigemptyset(&pipeSignal)
    unsafe sigaddset(&pipeSignal, SIGPIPE)
    unsafe pthread_sigmask(SIG_BLOCK, &pipeSignal, &before)
    let count = unsafe bytes.withUnsafeBytes { unsafe write(end, $0.baseAddress, $0.count) }
    let code = errno
    if count < 0 && code == EPIPE {
      var now = timespec()
      _ = unsafe sigtimedwait(&pipeSignal, nil, &now)
    }
    unsafe pthread_sigmask(SIG_SETMASK, &before, nil)
    if count >= 0 { return count }
    return code == EAGAIN || code == EINTR ? 0 : bytes.count
  }

  /// Takes what came; closes the stream at its end.
  func take(_ stream: Stream, into bytes: inout [UInt8]) {
    guard let end = ends[stream.rawValue] else { return }
    var isOver = false
    let piece = unsafe [UInt8](unsafeUninitializedCapacity: 64 << 10) { buffer, count in
      let found = unsafe read(end, buffer.baseAddress, buffer.count)
      isOver = found == 0 || found < 0 && errno != EAGAIN && errno != EINTR
      count = max(0, found)
    }
    if isOver { close(stream.rawValue) }
    bytes += piece
  }
}

@available(*, unavailable)
extension ChildPipes: Sendable {}
