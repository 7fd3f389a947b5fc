import StarlingFavorites
import StarlingModel
import Testing

@testable import Starling

/// The console of an app that has functions and kinds of its own.
@Suite struct AppSurfaceTests {
  private func console() throws -> ConsoleHarness {
    let remind = try AppFunction(
      "app.remind",
      [
        .required("kind", .string, "a kind"),
        .optional("options", .shape("starling.Query"), "which of them"),
      ],
      help: "Reminds of favorites."
    ) { _ in [] }
    let beep = try AppFunction("beep", help: "Makes a sound.") { _ in [] }
    let person = KindDeclaration(
      "dog", key: .auto, fields: [Field("name", .text), Field("age", .integer)], indexes: [])
    return try ConsoleHarness(functions: [remind, beep], kinds: [person])
  }

  @Test(
    "help tells of them by name, and of what is nearly their name",
    arguments: [
      ("app.remind", "app.remind(kind, [options])"), ("beep", "beep()"),
      ("app", "app.remind(kind, [options])"), ("dog", "dog: a kind; its key is made for it"),
      ("dog.age", "dog.age: a field, integer"),
      ("app.remnd", "there is no help for app.remnd; did you mean app.remind?"),
    ])
  func help(topic: String, first: String) throws {
    let session = try console().session
    #expect(session.help(topic: topic).split(separator: "\n").first.map(String.init) == first)
    #expect(session.hasHelp(topic) == !first.hasPrefix("there is no help"))
  }

  @Test("help takes the functions themselves and their table")
  func values() throws {
    let console = try console()
    try console.run("help(beep) help(app.remind) help(app)")
    #expect(console.output.contains("Makes a sound."))
    #expect(console.output.contains("Reminds of favorites.\n  kind: string  a kind"))
  }

  @Test(
    "Tab completes them, their kinds and their tables of options",
    arguments: [
      ("bee", ["beep"]), ("app.re", ["remind"]), ("help('app.", ["app.remind"]),
      ("app.remind('do", ["dog"]), ("app.remind('dog', { wh", ["where"]),
      ("app.remind('dog', { where = { ag", ["age"]), ("favorites.fetch('do", ["dog"]),
    ])
  func completion(text: String, names: [String]) throws {
    #expect(try console().session.complete(text).names == names)
  }
}
