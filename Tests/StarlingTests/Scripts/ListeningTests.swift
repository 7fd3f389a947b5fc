import Glibc
import StarlingFavorites
import StarlingModel
import Testing

@testable import Starling

/// A script that listens hears of what others change in the same file, also when it only reads.
@Suite final class ListeningTests {
  private let path = "/tmp/starling-listening-\(UInt64.random(in: 0 ... .max)).db"
  private static let news = Kind(
    name: "news", key: .fields(["link"]), fields: [Field("link", .url)])

  deinit {
    for end in ["", "-wal", "-shm"] { unlink(path + end) }
  }

  /// The lines that a script prints. Another store stars `o1`, `o2`, `o3` and so on: one for each mark
  /// `*` that the script writes, and one before each of the lines of input.
  private func lines(_ code: String, input: Int = 0) throws -> [String] {
    let other = try FavoritesStore(
      .file(path), model: KindModel.merging([("t", [KindDeclaration(Self.news)])]).model)
    var count = 0
    func star() {
      count += 1
      #expect(throws: Never.self) {
        try other.insert(Entity(kind: "news", key: "", values: ["link": .text("o\(count)")]))
      }
    }
    var printed: [UInt8] = []
    var left = input
    let io = ScriptIO(
      write: { piece in
        for byte in piece where byte == UInt8(ascii: "*") { star() }
        printed += piece.filter { $0 != UInt8(ascii: "*") }
        return true
      },
      read: { _ in
        guard left > 0 else { return [] }
        left -= 1
        star()
        return Array("go\n".utf8)
      })
    let host = Host(Host.Configuration(database: .file(path)))
    #expect(try host.run(Script([.code(code)]), io: io) == 0)
    return String(decoding: printed, as: UTF8.self).split(separator: "\n").map { String($0) }
  }

  @Test("while it waits for input, in order and once each")
  func waiting() throws {
    let printed = try lines(
      """
      local seen = {}
      favorites.on("insert", function(change) seen[#seen + 1] = change.key end)
      io.write("**") io.flush()
      for _ in io.lines() do print(table.concat(seen, ","), favorites.contains("news", "o1")) end
      """, input: 2)
    #expect(printed == ["o1,o2,o3\ttrue", "o1,o2,o3,o4\ttrue"])
  }

  @Test("at its calls of the store, and in a transaction after it")
  func calls() throws {
    let printed = try lines(
      """
      local n = 0
      favorites.on("insert", function() n = n + 1 favorites.count("news") end)
      io.write("***") io.flush()
      local start = os.clock()
      while n == 0 and os.clock() - start < 20 do favorites.count("news") end
      print(n)
      io.write("*") io.flush()
      favorites.transaction(function()
        local start = os.clock()
        while os.clock() - start < 0.2 do favorites.count("news") end
        print(n)
      end)
      print(n)
      favorites.insert("news", { link = "own" })
      print(n)
      """)
    #expect(printed.map { String($0) } == ["3", "3", "4", "5"])
  }

  @Test("at its end, and where a listener fails or reads while the script waits")
  func ending() throws {
    let printed = try lines(
      """
      favorites.on("insert", function(change) print("heard " .. change.key) end)
      favorites.on("insert", function() print((select(2, pcall(io.read)))) end)
      io.write("*") io.flush()
      print(io.read())
      io.write("*") io.flush()
      """, input: 1)
    let fault = "standard input: a listener cannot read while the script waits for input"
    #expect(printed.filter { $0.hasSuffix(fault) }.count == 2)
    #expect(printed.filter { $0.hasPrefix("heard") } == ["heard o1", "heard o2", "heard o3"])
  }
}
