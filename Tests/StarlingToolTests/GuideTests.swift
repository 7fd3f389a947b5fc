import Glibc
import Testing

@testable import StarlingTool

/// What the README and the guides show is compiled or run: their Swift against the products, their
/// files, commands and scripts one after another, and their output.
@Suite struct GuideTests {
  private let place = Workplace()
  private var folder: String { place.folder }

  @Test("there are guides for embedders, readers, plugin authors and contributors")
  func guides() {
    let names = Guide.all.map { $0.name.split(separator: "/").last.map(String.init) ?? "" }
    for name in [
      "README.md", "Embedding.md", "Reading.md", "WritingPlugins.md", "Contributing.md",
      "ComingFromCoreData.md", "Tasks.md",
    ] {
      #expect(names.contains(name))
    }
    for guide in Guide.all {
      #expect(guide.untested.isEmpty, "\(guide.name) has samples that no test looks at")
    }
  }

  @Test("files, commands and scripts do what the text says", arguments: Guide.all)
  func run(guide: Guide) throws {
    var files: Set<String> = []
    for sample in guide.samples {
      switch sample {
      case .file(let name, let text):
        place.write(name, text)
        files.insert(name)
      case .script(let text):
        place.write("sample.lua", text)
        let (status, output) = tool(["run", folder + "/sample.lua"])
        #expect(status == 0, "\(text)\n\(output)")
      case .command(let command, let expected):
        // The commands' own help is another test's.
        if command.contains("--help") { continue }
        let (status, output) = tool(words(of: command, files))
        #expect(status <= 1, "starling \(command): \(output)")
        if !expected.isEmpty { #expect(shown(output) == expected, "starling \(command)") }
      }
    }
  }

  @Test("Swift compiles against the products", arguments: Guide.all.filter { !$0.swift.isEmpty })
  func compile(guide: Guide) throws {
    let modules = try #require(Self.modules, "the folder of the products' modules")
    place.write("Sample.swift", guide.swift)
    var command = "swiftc -typecheck -swift-version 6 -module-name Sample -I '\(modules)'"
    for module in ["CLua54", "CSQLite3", "CXML2", "CLuaShim", "CSimdjson", "CCurl", "CPCRE2"] {
      command += " -Xcc -I'\(Guide.package)/Sources/\(module)/include'"
      for folder in ["\(Guide.package)/Sources/\(module)", "\(modules)/../\(module).build"] {
        let map = folder + "/module.modulemap"
        if access(map, R_OK) == 0 { command += " -Xcc -fmodule-map-file='\(map)'" }
      }
    }
    command += " $(pkg-config --cflags-only-I lua5.4 sqlite3 libxml-2.0 | sed 's/-I/-Xcc -I/g')"
    let (status, output) = try shell(command + " '\(folder)/Sample.swift' 2>&1")
    #expect(status == 0, "\(guide.name):\n\(output)")
  }

  /// Where the modules are that were built beside the tests.
  private static let modules: String? = {
    guard let tests = realpath("/proc/self/exe", nil) else { return nil }
    defer { free(tests) }
    let starts = [String(cString: tests)] + CommandLine.arguments
    for start in starts + [Guide.package + "/.build/debug/x"] {
      let folder = start.split(separator: "/", omittingEmptySubsequences: false).dropLast()
      let path = folder.joined(separator: "/") + "/Modules"
      if access(path + "/Starling.swiftmodule", R_OK) == 0 { return path }
    }
    return nil
  }()

  private func shell(_ command: String) throws -> (status: Int32, output: String) {
    let stream = try #require(popen(command, "r"))
    var output: [UInt8] = []
    var piece = [UInt8](repeating: 0, count: 1 << 16)
    while case let count = fread(&piece, 1, piece.count, stream), count > 0 {
      output += piece[..<count]
    }
    return (pclose(stream), String(decoding: output, as: UTF8.self))
  }

  private func tool(_ arguments: [String]) -> (status: Int32, output: String) {
    let io = ToolIO.memory(
      environment: [
        "STARLING_DB": folder + "/r.db", "HOME": folder,
        "STARLING_PLUGINS": Guide.package + "/plugins",
      ])
    let status = Tool.run(arguments, io: io)
    return (status.rawValue, io.out.text + io.err.text)
  }

  /// The words of a command, quotes as a shell reads them, and files in the test's folder.
  private func words(of command: String, _ files: Set<String>) -> [String] {
    var words: [String] = []
    var word = ""
    var isQuoted = false
    for character in command + " " {
      if character == "'" {
        isQuoted.toggle()
      } else if character == " ", !isQuoted {
        if !word.isEmpty { words.append(word) }
        word = ""
      } else {
        word.append(character)
      }
    }
    return words.map { word in
      if word == "." { return folder }
      return files.contains(word) ? "\(folder)/\(word)" : word
    }
  }

  /// What a terminal would show, times and the folder made those of the text.
  private func shown(_ output: String) -> [String] {
    output.split(separator: "\n").map { line in
      var words = line.replacing(folder + "/", with: "")
        .split(separator: " ", omittingEmptySubsequences: false).map(String.init)
      for index in words.indices {
        if words[index].hasPrefix("20"), words[index].hasSuffix("Z"), line.contains(" by ") {
          words[index] = "2026-11-30T13:24:43Z"
        }
      }
      return words.joined(separator: " ")
    }
  }
}
