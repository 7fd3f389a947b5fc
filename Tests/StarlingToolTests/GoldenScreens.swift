import Glibc

@testable import StarlingTool

/// The screens of a session as a file in `Fixtures/console` has them, each after its title;
/// `UPDATE_GOLDEN=1` writes them anew.
struct GoldenScreens {
  let isUpdating = getenv("UPDATE_GOLDEN") != nil
  private let path: String
  private var wanted: ArraySlice<(title: String, text: String)> = []
  private var seen: [(title: String, text: String)] = []

  init(_ name: String) {
    let folder = #filePath.split(separator: "/").dropLast().reduce("") { $0 + "/" + $1 }
    path = folder + "/Fixtures/console/\(name).txt"
    let file = Terminal.readPrivateFile(path).map { String(decoding: $0, as: UTF8.self) } ?? ""
    for section in ("\n" + file.dropLast()).split(separator: "\n=== ") {
      let title = section.prefix { $0 != "\n" }
      var text = section.dropFirst(title.count + 1)
      // Each but the last ends with an empty line.
      if text.hasSuffix("\n") { text.removeLast() }
      wanted.append((String(title), String(text)))
    }
  }

  /// The screen after the step of this title: nil where the file is written anew.
  mutating func next(_ title: String) -> String? {
    seen.append((title, ""))
    if isUpdating { return nil }
    guard let next = wanted.popFirst() else { return "(no such step in \(path))" }
    return next.title == title ? next.text : "(the step \(next.title) in \(path))"
  }

  /// Notes the screen of the step.
  mutating func see(_ text: String) {
    seen[seen.count - 1].text = text
  }

  func finish() {
    guard isUpdating, let stream = fopen(path, "wb") else { return }
    fputs(seen.map { "=== \($0.title)\n\($0.text)\n" }.joined(separator: "\n"), stream)
    fclose(stream)
  }
}
