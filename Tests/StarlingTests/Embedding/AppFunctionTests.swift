import Starling
import Testing

/// An app's own functions, with the public API alone.
@Suite struct AppFunctionTests {
  private struct OutOfPaper: Error, CustomStringConvertible {
    var description: String { "out of paper" }
  }

  /// A host with some functions, and what its scripts print.
  private final class App {
    let host: Host
    private var output: [UInt8] = []

    init(_ functions: [AppFunction], kinds: [KindDeclaration] = []) throws {
      var configuration = Host.Configuration(database: .memory, kinds: kinds)
      for function in functions { try configuration.add(function) }
      host = Host(configuration)
    }

    func run(_ code: String, limits: Limits? = nil) throws(HostError) -> String {
      output = []
      let io = ScriptIO(write: { piece in
        self.output += piece
        return true
      })
      try host.run(Script([.code(code)], limits: limits), io: io)
      return String(decoding: output, as: UTF8.self)
    }

    func failure(_ code: String, limits: Limits? = nil) -> HostError? {
      do throws(HostError) {
        _ = try run(code, limits: limits)
        return nil
      } catch {
        return error
      }
    }
  }

  private static func join() throws -> AppFunction {
    try AppFunction(
      "app.join",
      [
        .required("separator", .string, "what stands between"),
        .optional("times", .integer, "how often all is said"),
        .rest("parts", .string, "what is joined"),
      ],
      returns: [ApiResult(type: .string, help: "the whole")],
      help: "Joins texts."
    ) { call in
      let parts = call.arguments.dropFirst(2).compactMap(\.text)
      let once = parts.joined(separator: call[1].text ?? "")
      return [.text(String(repeating: once, count: Int(call[2].integer ?? 1))), 7]
    }
  }

  @Test("a script calls it, with values of each type both ways")
  func calls() throws {
    let echo = try AppFunction("echo", [.rest("values", .any, "anything")], help: "Echoes.") {
      $0.arguments
    }
    let app = try App([Self.join(), echo])
    #expect(try app.run("print(app.join('-', nil, 'a', 5, 1.5))") == "a-5-1.5\t7\n")
    #expect(try app.run("print(app.join('-', '2', 'a'))") == "aa\t7\n")
    #expect(try app.run("print(echo())") == "\n")
    let values = "nil, true, 3, 2.5, 'x\\0y', {1, 'b', {}}, {a = {b = 1}}"
    #expect(
      try app.run("local r = { echo(\(values)) } print(json.encode(r[6]), r[7].a.b, #r[5], r[4])")
        == "[1,\"b\",{}]\t1\t3\t2.5\n")
  }

  @Test("bad arguments are Lua's errors, with place, expectation and what came")
  func arguments() throws {
    let app = try App([Self.join()])
    let missing = try #require(app.failure("app.join()"))
    #expect(missing.kind == .script)
    #expect(
      missing.description == "-e:1: bad argument #1 to 'join' (string expected, got no value)")
    let wrong = try #require(app.failure("app.join('-', {})"))
    #expect(wrong.message == "bad argument #2 to 'join' (integer expected, got table)")
    #expect(
      app.failure("app.join('-', 1, 'a', false)")?.message
        == "bad argument #4 to 'join' (string expected, got boolean)")
    #expect(app.failure("app.join('\\xff', 1, 'a')")?.message.contains("bad argument #1") == true)
    #expect(
      app.failure("app.joins('-')")?.message.contains("join") == true, "the nearest right name")
  }

  @Test("what cannot be copied is refused by its argument, not by a trap")
  func uncopied() throws {
    let take = try AppFunction("take", [.required("value", .any, "anything")], help: "Takes.") {
      _ in []
    }
    let app = try App([take])
    #expect(app.failure("take(print)")?.message.contains("bad argument #1 to 'take'") == true)
    #expect(app.failure("local t = {} t.t = t take(t)")?.message.contains("nested") == true)
    #expect(app.failure("take({ [true] = 1 })")?.message.contains("#1") == true)
    #expect(app.failure("take({ { a = print } })")?.message.contains("[1].a") == true)
  }

  @Test("an error of Swift's is raised in Lua and comes back whole, with its kind")
  func errors() throws {
    let printing = try AppFunction("printing", help: "Prints.") { _ in throw OutOfPaper() }
    let wrong = try AppFunction("wrong", help: "Asks for an unknown kind.") { call in
      _ = try call.store().count(Query(kind: "nwes"))
      return []
    }
    let denied = try AppFunction("denied", help: "May not.") { _ in
      throw HostError(.permission, "not today")
    }
    let app = try App(
      [printing, wrong, denied],
      kinds: [
        KindDeclaration("news", key: .fields(["link"]), fields: [Field("link", .url)])
      ])
    let error = try #require(app.failure("\nprinting()"))
    #expect(error.kind == .host && error.cause is OutOfPaper)
    #expect(error.description == "-e:2: out of paper")
    #expect(
      try app.run("print(pcall(printing))") == "false\t-e:1: out of paper\n"
        || app.run("print(pcall(printing))") == "false\tout of paper\n")
    let store = try #require(app.failure("wrong()"))
    #expect(store.kind == .database && store.message.contains("did you mean \"news\"?"))
    let no = try #require(app.failure("denied()"))
    #expect(no.kind == .permission && no.description == "-e:1: not today")
    #expect((no.cause as? HostError)?.message == "not today" && store.cause is FavoritesError)
    // The state goes on after each of them.
    #expect(
      try app.run("for i = 1, 1000 do pcall(printing) end print('still here')") == "still here\n")
  }

  @Test("it is in the help, the annotations and the reference of its host, and of no other")
  func reference() throws {
    let app = try App([Self.join()])
    let help = try #require(app.host.help("app.join"))
    #expect(help.hasPrefix("app.join(separator, [times], [parts...])\n  Joins texts."))
    #expect(app.host.reference.contains("### `app.join(separator, [times], [parts...])`"))
    #expect(app.host.annotations.contains("---@class applib\napp = {}"))
    #expect(app.host.annotations.contains("function app.join(separator, times, ...) end"))
    #expect(app.host.help("favorites.insert") != nil)
    let other = Host(Host.Configuration(database: .memory))
    #expect(other.help("app.join") == nil && !other.reference.contains("app.join"))
  }

  @Test("only the contexts that the app chose have it")
  func contexts() throws {
    let folder = TemporaryFolder()
    folder.write(
      "p.lua",
      Array(
        """
        --- @api 1
        --- @summary Calls the app
        local M = {}
        M.kinds = { word = { key = "id", fields = { id = "text", shout = "text" } } }
        function M.map(item) return { id = item.id, shout = shout(item.id) } end
        return M
        """.utf8))
    var configuration = Host.Configuration(database: .memory, pluginFolders: [folder.path])
    let shout = try AppFunction(
      "shout", in: [.plugin, .rules], [.required("text", .string, "what")], help: "Shouts."
    ) { call in
      #expect(call.context != .script)
      #expect(throws: HostError.self) { try call.store() }
      return [.text((call[1].text ?? "").uppercased())]
    }
    try configuration.add(shout)
    let host = Host(configuration)
    let input = FeedInput(.bytes(Array("[{\"id\":\"a\"}]".utf8), name: "words"))
    #expect(try host.load(input, plugin: "p").new == 1)
    let word = try host.store().entity(kind: "word", key: "a")
    #expect(word?["shout"] == "A")
    let rules = folder.write(
      "rules.lua",
      Array(
        """
        rule "Loud" { kind = "word", when = function(w) return shout(w.id) == "A" end, star }
        """.utf8))
    #expect(try host.applyRules(host.rules(file: rules)).starred == 1)
    #expect(throws: HostError.self) { try host.run(Script([.code("shout('x')")])) }
  }

  @Test("a store that a function changes is the script's: its transaction, its run, its rollback")
  func store() throws {
    let person = KindDeclaration("person", key: .auto, fields: [Field("name", .text)])
    let hire = try AppFunction(
      "hire", [.required("name", .string, "whom")],
      returns: [ApiResult(type: .string, help: "key")],
      help: "Adds a person."
    ) { call in
      let entity = Entity(kind: "person", key: "", values: ["name": .text(call[1].text ?? "")])
      return [.text(try call.store().insert(entity).key)]
    }
    let app = try App([hire], kinds: [person])
    #expect(try app.run("print(favorites.get('person', hire('Ada')).name)") == "Ada\n")
    _ = app.failure("favorites.transaction(function() hire('Bo') error('no') end)")
    #expect(try app.host.store().count(Query(kind: "person")) == 1)
    let changes = try app.host.store().history()
    #expect(changes.count == 1 && changes[0].run != nil)
  }

  @Test("who changes the store through a function is the script, and a refusal holds")
  func actor() throws {
    let star = try AppFunction(
      "app.star", [.required("key", .string, "its key")], help: "Stars a thing."
    ) { call in
      let entity = Entity(kind: "thing", key: call[1].text ?? "")
      let result = try call.store().insert(entity)
      return [.boolean(result.outcome != .refused)]
    }
    let app = try App([star], kinds: [KindDeclaration("thing", key: .auto, fields: [])])
    let store = try app.host.store()
    try store.insert(Entity(kind: "thing", key: "no"))
    try store.delete(kind: "thing", key: "no")
    #expect(try app.run("print(app.star('no'), app.star('yes'))") == "false\ttrue\n")
    #expect(try store.isRefused(kind: "thing", key: "no"))
    let causes = try store.causes(kind: "thing", key: "yes").map(\.origin)
    guard case .script = causes.first else {
      Issue.record("\(causes)")
      return
    }
    try store.insert(Entity(kind: "thing", key: "mine"))
    #expect(try store.causes(kind: "thing", key: "mine").map(\.origin) == [.hand])
  }

  @Test("the elements of a list are of the type that the parameter says")
  func elements() throws {
    let sum = try AppFunction(
      "app.sum", [.required("numbers", .list(.integer), "what is added")],
      returns: [ApiResult(type: .integer, help: "the sum")], help: "Adds."
    ) { call in
      [.integer((call[1].elements ?? []).reduce(0) { $0 + ($1.integer ?? -99) })]
    }
    let app = try App([sum])
    #expect(try app.run("print(app.sum{ 1, '2', 3.0 }, app.sum{})") == "6\t0\n")
    for (code, fault) in [
      ("app.sum{ 1, 'x' }", "[2]: integer expected, got string"),
      ("app.sum{ x = 1 }", "a list expected, got a table with the key `x`"),
      ("app.sum{ {} }", "[1]: integer expected, got table"),
    ] {
      let message = app.failure(code)?.message ?? ""
      #expect(message.contains(fault), "\(code): \(message)")
    }
  }

  @Test("of the rest of the arguments none is left out")
  func rest() throws {
    let app = try App([Self.join()])
    #expect(
      app.failure("app.join('-', 1, 'a', nil, 'b')")?.message
        == "bad argument #4 to 'join' (string expected, got nil)")
    let echo = try AppFunction("echo", [.rest("values", .any, "anything")], help: "Echoes.") {
      $0.arguments
    }
    #expect(try App([echo]).run("print(echo(1, nil, 2))") == "1\tnil\t2\n")
  }

  @Test("what is nested too deep on its way back is an error")
  func deep() throws {
    let deep = try AppFunction(
      "deep", [.required("levels", .integer, "how many")], help: "Nests."
    ) { call in
      var value = ScriptValue.integer(1)
      for _ in 0..<(call[1].integer ?? 0) { value = .list([value]) }
      return [value]
    }
    let app = try App([deep])
    #expect(try app.run("print(#deep(100))") == "1\n")
    #expect(app.failure("deep(101)")?.message.contains("nested too deeply") == true)
    #expect(app.failure("deep(100000)")?.message.contains("nested too deeply") == true)
    #expect(try app.run("print(#deep(1))") == "1\n")
  }

  @Test(
    "what could never be called, or would spoil the annotations, is refused with the reason",
    arguments: [
      ([.required("f", .function, "f")], "parameter `f`: a function is Lua's own"),
      ([.required("f", .list(.function), "f")], "parameter `f`: a function"),
      ([.required("f", .union([.string, .function]), "f")], "parameter `f`: a function"),
      ([.required("w", .shape("starling.Word"), "w")], "parameter `w`: `starling.Word` holds"),
      ([.required("q", .shape("starling.Members"), "q")], "holds functions or the words of rules"),
      (
        [.required("m", .shape("starling.Mony"), "m")],
        "there is no shape `starling.Mony`; did you mean `starling.Money`?"
      ),
      ([.required("a b", .string, "a")], "`a b` is none"),
      ([.required("end", .string, "a")], "`end` is none"),
      ([.required("a", .any, "a"), .optional("a", .any, "a")], "have one name"),
      ([.optional("a", .any, "a"), .required("b", .any, "b")], "`b` must be given, and stands"),
      ([.rest("a", .any, "a"), .optional("b", .any, "b")], "only the last parameter"),
      ([.required("a", .any, "one\ntwo")], "parameter `a`: it is one line"),
    ] as [([ApiParameter], String)])
  func parameters(parameters: [ApiParameter], reason: String) {
    do throws(HostError) {
      _ = try AppFunction("app.f", parameters, help: "Does it.") { _ in [] }
      Issue.record("it was taken")
    } catch {
      #expect(error.description.contains(reason), "\(error)")
    }
  }

  @Test("a query comes with the words of its conditions, checked, and the body says the kind")
  func queries() throws {
    let count = try AppFunction(
      "app.count",
      [
        .required("kind", .string, "a kind"),
        .optional("which", .union([.string, .shape("starling.Query")]), "which of them"),
        .optional("more", .list(.shape("starling.Query")), "and which more"),
      ],
      returns: [ApiResult(type: .integer, help: "how many")], help: "Counts."
    ) { call in
      var total = 0
      let more = call[3].elements ?? []
      for var query in ([call[2]] + more).map({ $0.query ?? Query(kind: "", text: $0.text) }) {
        query.kind = call[1].text ?? ""
        total += try call.store().count(query)
      }
      return [.integer(Int64(total))]
    }
    let dog = KindDeclaration(
      "dog", key: .auto, fields: [Field("name", .text), Field("age", .integer)])
    let app = try App([count], kinds: [dog])
    for age in 1...9 {
      try app.host.store().insert(
        Entity(kind: "dog", key: "", values: ["name": "Rex", "age": .integer(Int64(age))]))
    }
    let code = "print(app.count('dog', { where = { age = above(3), name = has 'rex' } }))"
    #expect(try app.run(code) == "6\n")
    #expect(try app.run("print(app.count('dog'), app.count('dog', 'rex'))") == "9\t9\n")
    #expect(
      try app.run("print(app.count('dog', {}, { { where = any{ { age = 1 }, { age = 2 } } } }))")
        == "11\n")
    for (code, fault) in [
      ("app.count('dog', { wher = {} })", "the query has no option `wher`; did you mean `where`?"),
      (
        "app.count('dog', { where = { age = 'x', [true] = 1 } })",
        "bad argument #2 to 'count' ("
      ),
      ("app.count('dog', { where = { aeg = 1 } })", "did you mean \"age\"?"),
      ("app.count('dgo', { where = { age = above(1) } })", "did you mean \"dog\"?"),
      ("app.count('dog', nil, { 7 })", "bad argument #3 to 'count'"),
    ] {
      let message = app.failure(code)?.message ?? ""
      #expect(message.contains(fault), "\(code): \(message)")
    }
    #expect(throws: HostError.self) {
      try AppFunction(
        "f", returns: [ApiResult(type: .shape("starling.Query"), help: "q")], help: "Does."
      ) { _ in [] }
    }
  }

  @Test("a help of several lines, none, or no context is refused")
  func helps() throws {
    for help in ["", "Does", "Does.\nAnd more.", "Does.\r", "A\u{2028}b."] {
      #expect(throws: HostError.self, "\(help)") { try AppFunction("f", help: help) { _ in [] } }
    }
    #expect(throws: HostError.self) { try AppFunction("f", in: [], help: "Does.") { _ in [] } }
    #expect(throws: HostError.self) {
      try AppFunction("f", returns: [ApiResult(type: .function, help: "f")], help: "Does.") { _ in
        []
      }
    }
    _ = try AppFunction("f", help: "做这件事。") { _ in [] }
  }

  @Test("the annotations of a host with functions of all sorts are Lua")
  func annotations() throws {
    let money = try AppFunction(
      "app.pay", in: [.script, .rules],
      [
        .required("sum", .shape("starling.Money"), "how much"),
        .optional("to", .union([.string, .list(.string)]), "whom"), .rest("more", .table, "more"),
      ],
      returns: [ApiResult(type: .boolean, isOptional: true, help: "whether \"it\" ]] worked")],
      help: "Pays."
    ) { call in [.text(call[1]["text"].text ?? "")] }
    let app = try App([money, Self.join()])
    #expect(try app.run("print(app.pay(money.parse('16.59万')))") == "16.59万\n")
    let code = app.host.annotations
    #expect(try app.run("print(load([==[\(code)]==]) ~= nil)") == "true\n")
  }

  @Test("what takes long in Swift is stopped as Lua is, and pcall does not swallow it")
  func stop() throws {
    let spin = try AppFunction("spin", help: "Never ends.") { call in
      while true { try call.checkStop() }
    }
    let app = try App([spin])
    let error = app.failure("pcall(spin) print('on')", limits: Limits(time: .milliseconds(50)))
    #expect(error?.kind == .time)
  }

  @Test(
    "a name that is none, or Lua's or Starling's own, is refused",
    arguments: [
      "", "1a", "a-b", "a.b.c", "a.", "end", "print", "string", "string.x", "favorites",
      "favorites.mine", "rule", "json.null", "é",
    ])
  func names(name: String) throws {
    #expect(throws: HostError.self) { try AppFunction(name, help: "No.") { _ in [] } }
  }

  @Test("two of one name are refused, and a name that is a function and a table")
  func duplicates() throws {
    var configuration = Host.Configuration(database: .memory)
    func function(_ name: String) throws -> AppFunction {
      try AppFunction(name, help: "Is there.") { _ in [] }
    }
    try configuration.add(function("app.one"))
    try configuration.add(function("app.two"))
    try configuration.add(function("solo"))
    for name in ["app.one", "app", "solo", "solo.x"] {
      #expect(throws: HostError.self, "\(name)") { try configuration.add(function(name)) }
    }
  }
}
