import StarlingLua
import Testing

/// Views of documents and objects with methods.
@Suite struct ObjectTests {
  /// A document: node 0 is { name = "doc", list = node 1 }, node 1 is { 10, 20, 30 }.
  private final class Document: LuaViewSource {
    var lent: LuaDocument?

    func read(_ node: Int64, key: LuaView, into value: inout LuaWriter) throws(LuaError) {
      if node == 1 {
        if let position = key.integer, (1...3).contains(position) { value.push(position * 10) }
      } else if key.type == .string, let lent {
        switch try key.string() {
        case "name": value.push("doc")
        case "list": value.push(lent, node: 1)
        default: break
        }
      }
    }

    func count(_ node: Int64) throws(LuaError) -> Int { node == 1 ? 3 : 0 }

    func step(
      _ node: Int64, cursor: Int64, into pair: inout LuaWriter
    ) throws(LuaError) -> Int64? {
      guard let lent, cursor < (node == 1 ? 3 : 2) else { return nil }
      if node == 1 {
        pair.push(cursor + 1)
        pair.push((cursor + 1) * 10)
      } else if cursor == 0 {
        pair.push("name")
        pair.push("doc")
      } else {
        pair.push("list")
        pair.push(lent, node: 1)
      }
      return cursor + 1
    }

    func cursor(_ node: Int64, after key: LuaView) throws(LuaError) -> Int64? {
      if node == 1 { return key.integer }
      return switch try key.string() {
      case "name": 1
      case "list": 2
      default: nil
      }
    }
  }

  private func makeState() throws -> (LuaState, Document) {
    let state = try LuaState(LuaConfiguration(library: .plugin, globals: .open))
    let document = Document()
    let lent = state.lend(document)
    document.lent = lent
    try state.setGlobal("doc") { $0.push(lent, node: 0) }
    return (state, document)
  }

  @Test(
    "a view reads like a table",
    arguments: [
      ("type(doc) .. type(doc.list)", "tabletable"), ("doc.name", "doc"), ("#doc.list .. ''", "3"),
      ("doc.list[2] .. ''", "20"), ("tostring(doc.missing)", "nil"),
      ("tostring(doc.list[4])", "nil"), ("tostring(doc.list == doc.list)", "true"),
      ("tostring(doc.list == doc)", "false"), ("table.concat(doc.list, ',')", "10,20,30"),
      ("select('#', table.unpack(doc.list)) .. ''", "3"), ("tostring(doc)", "table"),
      ("string.format('%s', doc)", "table"), ("next(doc)", "name"),
      ("tostring(next(doc, 'list'))", "nil"), ("next(doc.list, 1) .. ''", "2"),
      ("tostring(getmetatable(doc))", "false"),
      (
        "(function() local s = '' for k, v in pairs(doc) do s = s .. k .. type(v) end return s end)()",
        "namestringlisttable"
      ),
      (
        "(function() local s = '' for k, v in pairs(doc.list) do s = s .. k .. v end return s end)()",
        "110220330"
      ),
      (
        "(function() local s = '' for k, v in ipairs(doc.list) do s = s .. k .. v end return s end)()",
        "110220330"
      ),
      (
        "select(2, pcall(function() doc.name = 1 end)):gsub('^.-: ', '')",
        "attempt to change what can only be read: a feed's body, or a rule's entity"
      ),
      ("tostring(pcall(setmetatable, doc, {}))", "false"),
      ("tostring(pcall(table.insert, doc.list, 1))", "false"),
      ("tostring(pcall(next, doc, 'zzz'))", "false"),
    ])
  func views(expression: String, expected: String) throws {
    let (state, _) = try makeState()
    #expect(state.run("return \(expression)") == expected)
  }

  @Test("a view of a document that is gone raises a clean error, however it is used")
  func deadViews() throws {
    let (state, document) = try makeState()
    _ = state.run("list = doc.list f = pairs(list) return ''")
    if let lent = document.lent { state.retract(lent) }
    for use in [
      "doc.name", "#list", "pairs(list)(list)", "next(list)", "table.concat(list)", "f(list)",
      "ipairs(list)(list, 0)",
    ] {
      #expect(
        state.run("return \(use)").hasSuffix("the document of this view is no longer there"),
        "\(use)")
    }
    // A new document in the same place does not revive them.
    let next = Document()
    next.lent = state.lend(next)
    #expect(state.run("return doc.name").hasSuffix("no longer there"))
  }

  private final class Payload {
    let object: LiveObject
    var value: Int64 = 0
    init(_ counter: LiveObject.Counter) { object = LiveObject(counter) }
  }

  @Test("an object has methods, is released after collection, and is never taken for another")
  func objects() throws {
    let state = try LuaState(LuaConfiguration(library: .script, globals: .open))
    let counter = LiveObject.Counter()
    var types: [LuaObjectType] = []
    let bump = state.makeHostFunction("bump") { call, results throws(LuaError) in
      guard let type = types.first,
        let payload = call.state.payload(of: call[1], type: type, as: Payload.self)
      else { throw call.argumentError(1, expected: "cursor") }
      payload.value += 1
      results.push(payload.value)
    }
    types.append(
      state.makeObjectType(
        "cursor",
        index: { call, results throws(LuaError) in
          guard try call[2].string() == "bump" else { return results.pushNil() }
          results.push(bump)
        }))
    types.append(state.makeObjectType("other"))
    for (index, name) in ["cursor", "other"].enumerated() {
      let type = types[index]
      state.register(name) { call, results throws(LuaError) in
        results.push(call.state.makeObject(type, Payload(counter)))
      }
    }
    #expect(state.run("local c = cursor() c:bump() return c:bump() .. tostring(c)") == "2cursor")
    #expect(
      state.run("return select(2, pcall(cursor().bump, other()))")
        == "bad argument #1 to 'bump' (cursor expected, got userdata)")
    #expect(state.run("return tostring(getmetatable(cursor()))") == "false")
    _ = state.run("for i = 1, 1000 do cursor() end collectgarbage() collectgarbage() return ''")
    _ = state.run("return ''")
    #expect(counter.made > 1000)
    #expect(counter.live == 0)
    #expect(state.liveObjectCount == 0)
  }

  @Test("a state that closes releases its objects")
  func closing() throws {
    let counter = LiveObject.Counter()
    do {
      let state = try LuaState(.script)
      let type = state.makeObjectType("thing")
      let object = state.makeObject(type, LiveObject(counter))
      try state.setGlobal("thing") { $0.push(object) }
      #expect(counter.live == 1)
    }
    #expect(counter.live == 0)
  }
}
