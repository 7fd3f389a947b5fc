import Glibc

@testable import StarlingTool

/// A folder of its own for one test, and the tool run in it: `@` in an argument stands for the
/// folder, and in what the tool says its path is `@` again.
final class Workplace {
  struct Outcome: Equatable {
    var status: Int32
    var out: String
    var err: String

    var lines: [String] { out.split(separator: "\n").map(String.init) }
  }

  let folder: String

  init() {
    var template = Array("/tmp/starling-tool-XXXXXX".utf8CString)
    folder = template.withUnsafeMutableBufferPointer { buffer in
      guard let start = buffer.baseAddress, let made = mkdtemp(start) else { return "" }
      return String(cString: made)
    }
  }

  deinit {
    Workplace.remove(folder)
  }

  /// Runs the tool in this process, with the folder's database and plugins.
  func run(
    _ arguments: [String], input: String = "", isTerminal: Bool = false,
    environment: [String: String] = [:]
  ) -> Outcome {
    let own = ["HOME": folder, "XDG_DATA_HOME": folder, "XDG_CONFIG_HOME": folder + "/config"]
    let io = ToolIO.memory(
      input: input, width: isTerminal ? 200 : nil, isTerminal: isTerminal,
      environment: own.merging(environment) { _, new in new })
    let status = Tool.run(standing(arguments), io: io)
    return Outcome(
      status: status.rawValue, out: relative(io.out.text), err: relative(io.err.text))
  }

  func run(_ arguments: String...) -> Outcome { run(arguments) }

  /// The arguments with paths, after the options that every run has.
  func standing(_ arguments: [String]) -> [String] {
    let own = arguments.contains("--db") ? [] : ["--db", "@x.db", "--plugins", "@plugins"]
    return (own + arguments).map { argument in
      argument.hasPrefix("@") ? path(String(argument.dropFirst())) : argument
    }
  }

  func path(_ name: String) -> String { folder + "/" + name }

  /// The text with `@` for the folder, and `N ms` for a time that differs from run to run.
  func relative(_ text: String) -> String {
    text.split(separator: folder + "/", omittingEmptySubsequences: false).joined(separator: "@")
      .replacing(/[0-9]+ ms/, with: "N ms")
  }

  /// Writes a file, with the folders on its way.
  func write(_ name: String, _ bytes: [UInt8]) {
    var way = folder
    for part in name.split(separator: "/").dropLast() {
      way += "/" + part
      mkdir(way, 0o700)
    }
    guard let stream = fopen(path(name), "wb") else { return }
    fwrite(bytes, 1, bytes.count, stream)
    fclose(stream)
  }

  func write(_ name: String, _ text: String) { write(name, Array(text.utf8)) }

  /// What a file says.
  func text(_ name: String) -> String {
    let descriptor = open(path(name), O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return "" }
    defer { close(descriptor) }
    var bytes = [UInt8](repeating: 0, count: 1 << 20)
    let count = read(descriptor, &bytes, bytes.count)
    return String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
  }

  /// Overwrites bytes of a file from an offset on.
  func patch(_ name: String, at offset: Int, _ bytes: [UInt8]) {
    guard let stream = fopen(path(name), "r+b") else { return }
    fseek(stream, offset, SEEK_SET)
    fwrite(bytes, 1, bytes.count, stream)
    fclose(stream)
  }

  func makeFolder(_ name: String) { mkdir(path(name), 0o700) }

  private static func remove(_ path: String) {
    guard let stream = opendir(path) else {
      unlink(path)
      return
    }
    while let entry = readdir(stream) {
      let name = withUnsafeBytes(of: &entry.pointee.d_name) {
        String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
      }
      if name != "." && name != ".." { remove(path + "/" + name) }
    }
    closedir(stream)
    rmdir(path)
  }
}

extension Workplace {
  /// An RSS feed of items `Item 1`, `Item 2`, ... at https://e.org/1, ...
  static func feed(items count: Int) -> String {
    let items = (1...count).map { number in
      "<item><title>Item \(number)</title><link>https://e.org/\(number)</link></item>"
    }
    return "<rss version=\"2.0\"><channel><title>T</title>\(items.joined())</channel></rss>"
  }

  /// A plugin for RSS that makes things; `body` runs first in its `map`.
  static func plugin(
    api: Int = 1, kinds: String = thing, accepts: Bool = true, body: String = ""
  ) -> String {
    """
    --- @api \(api)
    --- @summary Things of a feed
    local M = {}
    M.kinds = \(kinds)
    \(accepts ? "function M.accepts(feed) return feed.format == \"rss\" end" : "")
    function M.map(item)
      \(body)
      return { kind = "thing", id = item.url, title = item.title }
    end
    return M

    """
  }

  static let thing =
    "{ thing = { key = \"id\", fields = { id = \"text\", title = \"text\" } } }"
}
