import Glibc
import Testing

/// The samples of a Markdown text, in their order.
struct Guide {
  enum Sample: Equatable {
    /// A file that the text before its block names.
    case file(name: String, text: String)
    /// Lua without a name: a script.
    case script(String)
    /// `$ starling ...` with the lines that follow it.
    case command(String, output: [String])
  }

  /// The path within the package.
  let name: String
  private(set) var samples: [Sample] = []
  /// The Swift of the whole text, block after block.
  private(set) var swift = ""
  /// Fenced blocks whose language has no test.
  private(set) var untested: [String] = []

  init(_ name: String, text: String) {
    self.name = name
    var paragraph = ""
    var block: (language: String, lines: [Substring])?
    var isSession = false
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      if let open = block {
        if line == "```" {
          take(open.language, open.lines.joined(separator: "\n") + "\n", paragraph)
          block = nil
          paragraph = ""
        } else {
          block?.lines.append(line)
        }
      } else if line.hasPrefix("```") {
        block = (String(line.dropFirst(3)), [])
      } else if line.hasPrefix("    $ starling ") {
        samples.append(.command(String(line.dropFirst(15)), output: []))
        isSession = true
        continue
      } else if line.hasPrefix("    "), isSession, !line.hasPrefix("    $") {
        addOutput(String(line.dropFirst(4)))
        continue
      } else if !line.isEmpty {
        paragraph += line + "\n"
      }
      isSession = false
    }
  }

  private mutating func addOutput(_ line: String) {
    guard case .command(let command, var output) = samples.last else { return }
    output.append(line)
    samples[samples.count - 1] = .command(command, output: output)
  }

  private mutating func take(_ language: String, _ text: String, _ paragraph: String) {
    switch language {
    case "swift": swift += text + "\n"
    case "lua", "json":
      if let name = Guide.fileName(in: paragraph, language) {
        samples.append(.file(name: name, text: text))
      } else if language == "lua" {
        samples.append(.script(text))
      } else {
        untested.append(text)
      }
    case "sql": break  // `ReadmeQueryTests` asks them.
    default: untested.append(text)
    }
  }

  /// The last `name.lua` in backticks.
  private static func fileName(in paragraph: String, _ language: String) -> String? {
    let parts = paragraph.split(separator: "`", omittingEmptySubsequences: false)
    let quoted = parts.indices.filter { $0 % 2 == 1 }.map { String(parts[$0]) }
    return quoted.last { $0.hasSuffix("." + language) && !$0.contains("/") && !$0.contains(" ") }
  }

  // MARK: The package

  static let package = #filePath.split(separator: "/").dropLast(3).reduce("") { $0 + "/" + $1 }

  /// The README, and every guide in a catalog.
  static let all: [Guide] = {
    var names = ["README.md"]
    for module in entries("Sources").sorted() {
      for catalog in entries("Sources/" + module).sorted() where catalog.hasSuffix(".docc") {
        let folder = "Sources/\(module)/\(catalog)"
        names += entries(folder).filter { $0.hasSuffix(".md") }.sorted().map { folder + "/" + $0 }
      }
    }
    return names.map { Guide($0, text: read(package + "/" + $0) ?? "") }
  }()

  private static func entries(_ folder: String) -> [String] {
    guard let stream = opendir(package + "/" + folder) else { return [] }
    defer { closedir(stream) }
    var names: [String] = []
    while let entry = readdir(stream) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
        pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      if !name.hasPrefix(".") { names.append(name) }
    }
    return names
  }

  static func read(_ path: String) -> String? {
    guard let file = fopen(path, "rb") else { return nil }
    defer { fclose(file) }
    var bytes = [UInt8](repeating: 0, count: 1 << 20)
    let count = fread(&bytes, 1, bytes.count, file)
    return String(decoding: bytes[..<count], as: UTF8.self)
  }
}

extension Guide: CustomTestStringConvertible {
  var testDescription: String { name }
}
