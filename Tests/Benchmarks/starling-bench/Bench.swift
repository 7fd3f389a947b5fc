import Glibc
import Starling
import StarlingFeeds
import StarlingLua

/// What can only be measured from inside: `starling-bench calls SCRIPT ARGUMENT...` runs a workload
/// with `host.none` and `host.two`, which do as little as the limit's do.
@main
enum Bench {
  static func main() {
    let arguments = Array(CommandLine.arguments.dropFirst())
    let numbers = arguments.map { Int($0) ?? 0 }
    do {
      switch arguments.first {
      case "items" where arguments.count == 2: try items(arguments[1]) { _ in }
      case "json" where arguments.count == 2: try json(arguments[1])
      case "tables" where arguments.count == 2: try tables(arguments[1])
      case "fill" where numbers.count == 4:
        try StoreBench.fill(arguments[1], first: numbers[2], count: numbers[3])
      case "contains" where numbers.count == 4:
        try StoreBench.contains(arguments[1], rows: numbers[2], count: numbers[3])
      case "members" where arguments.count == 2: try StoreBench.members(arguments[1])
      case "calls" where arguments.count > 1: try calls(Array(arguments.dropFirst()))
      default:
        print("usage: starling-bench calls SCRIPT ARGUMENT... | items FEED | tables FEED")
        print("  | json FILE | fill DB FIRST COUNT | contains DB ROWS COUNT | members DB")
        exit(2)
      }
    } catch {
      print("starling-bench: \(error)")
      exit(1)
    }
  }

  private static func calls(_ arguments: [String]) throws(LuaError) {
    guard let source = read(arguments[0]) else { throw .message("cannot read \(arguments[0])") }
    let state = try LuaState(.script)
    state.register("host.none") { _, _ in }
    let check: LuaArgumentCheck = { call throws(LuaError) in
      for position in 1...2 where call[position].type != .string {
        throw call.argumentError(position, expected: "string")
      }
    }
    state.register("host.two", plain: [.text, .text], check: check) { call, results in
      unsafe results.push(Int64(call.first.count + call.second.count))
    }
    state.register("os.clock") { _, results in results.push(cpuSeconds()) }
    state.register("print") { call, _ throws(LuaError) in
      print(try call[1].string())
    }
    try state.setGlobal("arg") { writer throws(LuaError) in
      try writer.array(count: arguments.count - 1) { list in
        for argument in arguments.dropFirst() { list.append(argument) }
      }
    }
    try state.call(state.load(source, name: arguments[0]))
  }

  /// Decodes a feed to the tables that plugins get, each garbage when the next is made.
  private static func tables(_ path: String) throws {
    let state = try LuaState(.script)
    let writer = try ItemWriter(state: state)
    let key = state.key("item")
    var failure: LuaError?
    try state.setGlobal("items") { value throws(LuaError) in
      try value.table(fields: 1) { table in
        do throws(FeedError) {
          try items(path) { item in
            do throws(LuaError) {
              try table.set(key) { entry throws(LuaError) in try writer.push(item, to: &entry) }
            } catch {
              failure = error
            }
          }
        } catch {
          failure = .message(error.description)
        }
      }
    }
    if let failure { throw failure }
  }

  /// Decodes a JSON text to Lua tables as `json.decode` does; a script could not hold a long one as a
  /// string.
  private static func json(_ path: String) throws {
    guard let text = bytes(path) else { throw LuaError.message("cannot read \(path)") }
    var configuration = LuaConfiguration.script
    configuration.memoryLimit = 2 << 30
    let state = try LuaState(configuration)
    let start = cpuSeconds()
    var failure: (any Error)?
    try state.setGlobal("value") { value throws(LuaError) in
      do throws(FeedError) {
        try JSONDocument.withParsed(text) { document in
          do throws(LuaError) {
            try value.push(document, document.root, nulls: true)
          } catch {
            failure = error
          }
        }
      } catch {
        failure = error
      }
    }
    if let failure { throw failure }
    print("ms \((cpuSeconds() - start) * 1e3)")
  }

  /// Decodes a feed, item after item.
  private static func items(_ path: String, _ take: (borrowing Item) -> Void) throws(FeedError) {
    guard let file = unsafe fopen(path, "rb") else { return }
    defer { unsafe fclose(file) }
    let start = cpuSeconds()
    let decoder = FeedDecoder()
    var item = Item()
    var count = 0
    let piece = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 16, alignment: 16)
    defer { unsafe piece.deallocate() }
    while true {
      let length = unsafe fread(piece.baseAddress, 1, piece.count, file)
      if length == 0 { break }
      try unsafe decoder.append(UnsafeRawBufferPointer(rebasing: piece[..<length]))
      while decoder.next(into: &item) {
        count += 1
        take(item)
      }
    }
    try decoder.finish()
    while decoder.next(into: &item) {
      count += 1
      take(item)
    }
    print("items \(count)\nus_per_item \((cpuSeconds() - start) * 1e6 / Double(max(1, count)))")
  }

  static func read(_ path: String) -> String? {
    bytes(path).flatMap { String(validating: $0, as: UTF8.self) }
  }

  private static func bytes(_ path: String) -> [UInt8]? {
    guard let file = unsafe fopen(path, "rb") else { return nil }
    defer { unsafe fclose(file) }
    var bytes: [UInt8] = []
    var piece = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = unsafe fread(&piece, 1, piece.count, file)
      if count == 0 { break }
      bytes.append(contentsOf: piece[..<count])
    }
    return bytes
  }
}
