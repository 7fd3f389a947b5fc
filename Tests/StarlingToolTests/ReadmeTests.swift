import Glibc
import Testing

@testable import StarlingTool

/// What README.md shows is run: its files, its commands one after another, and their output.
@Suite struct ReadmeTests {
  let folder: String
  let readme: String

  init() throws {
    let package = #filePath.split(separator: "/").dropLast(3).reduce("") { $0 + "/" + $1 }
    readme = try Self.read(package + "/README.md")
    var template = Array("/tmp/starling-readme-XXXXXX".utf8CString)
    folder = template.withUnsafeMutableBufferPointer { buffer in
      guard let start = buffer.baseAddress, let made = mkdtemp(start) else { return "" }
      return String(cString: made)
    }
  }

  @Test("the plugin, the rules and the commands of the README do what it says")
  func commands() throws {
    let files = [
      ("recipes.lua", try #require(block("lua", 0))),
      ("recipes.json", try #require(block("json", 0))),
      ("rules.lua", try #require(block("lua", 1))),
    ]
    for (name, text) in files { try Self.write(text, to: folder + "/" + name) }
    var ran = 0
    for (command, expected) in sessions where !command.contains("--help") {
      let io = ToolIO.memory(environment: ["STARLING_DB": folder + "/r.db", "HOME": folder])
      let status = Tool.run(arguments(command), io: io)
      #expect(status.rawValue <= 1, "\(command): \(io.err.text)")
      if !expected.isEmpty { #expect(shown(io) == expected, "\(command)") }
      ran += 1
    }
    #expect(ran >= 5)
  }

  /// The commands of the README's indented blocks, each with the lines that follow it.
  private var sessions: [(command: String, output: [String])] {
    var sessions: [(command: String, output: [String])] = []
    var isOpen = false
    for line in readme.split(separator: "\n", omittingEmptySubsequences: false) {
      if line.hasPrefix("    $ starling ") {
        sessions.append((String(line.dropFirst(15)), []))
        isOpen = true
      } else if line.hasPrefix("    "), !line.hasPrefix("    $"), let last = sessions.indices.last {
        if isOpen { sessions[last].output.append(String(line.dropFirst(4))) }
      } else {
        isOpen = false
      }
    }
    return sessions
  }

  /// The n-th fenced block of a language.
  private func block(_ language: String, _ index: Int) -> String? {
    let parts = readme.split(separator: "```\(language)\n", omittingEmptySubsequences: false)
    guard parts.count > index + 1 else { return nil }
    return parts[index + 1].split(separator: "```").first.map(String.init)
  }

  /// The words of a command, files in the test's folder; quotes as a shell reads them.
  private func arguments(_ command: String) -> [String] {
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
      return ["recipes.lua", "recipes.json", "rules.lua"].contains(word)
        ? "\(folder)/\(word)" : word
    }
  }

  /// What a terminal would show, times and the folder made those of the README.
  private func shown(_ io: ToolIO) -> [String] {
    (io.out.text + io.err.text).split(separator: "\n").map { line in
      var words = line.split(separator: " ", omittingEmptySubsequences: false).map(String.init)
      for index in words.indices {
        if words[index].hasPrefix(folder + "/") {
          words[index] = String(words[index].dropFirst(folder.utf8.count + 1))
        }
        if words[index].hasPrefix("20"), words[index].hasSuffix("Z") {
          words[index] = "2026-11-30T13:24:43Z"
        }
      }
      return words.joined(separator: " ")
    }
  }

  private static func read(_ path: String) throws -> String {
    let file = try #require(fopen(path, "rb"))
    defer { fclose(file) }
    var bytes = [UInt8](repeating: 0, count: 1 << 20)
    let count = fread(&bytes, 1, bytes.count, file)
    return String(decoding: bytes[..<count], as: UTF8.self)
  }

  private static func write(_ text: String, to path: String) throws {
    let file = try #require(fopen(path, "wb"))
    defer { fclose(file) }
    let bytes = Array(text.utf8)
    fwrite(bytes, 1, bytes.count, file)
  }
}
