import CLua54
import CLuaShim

// MARK: - Views of documents

extension LuaState {
  /// Makes a document known, so that views of it can be pushed.
  package func lend(_ source: any LuaViewSource) -> LuaDocument {
    let place = documents.insert(source)
    return LuaDocument(slot: place.slot, generation: place.generation)
  }

  /// Ends all views of a document: a later use of one raises an error in Lua.
  package func retract(_ document: LuaDocument) {
    _ = documents.remove(document.slot, document.generation)
  }

  /// The source and node behind a view; nil when this is none.
  /// - Throws: `runtime` when its document is gone.
  package func source(
    of view: LuaView
  ) throws(LuaError) -> (source: any LuaViewSource, node: Int64)? {
    guard let object = view.object, object.form == .view else { return nil }
    guard let source = documents.element(object.slot, object.generation) else {
      throw .message("the document of this view is no longer there")
    }
    return (source, object.node)
  }

  /// Lends a copy of what a view shows, as `push` makes it; any other value as it is.
  /// - Throws: `runtime` when the document of the view is gone.
  package func withCopy<Result>(
    of value: LuaView,
    _ push: (any LuaViewSource, Int64, inout LuaWriter) throws(LuaError) -> Void,
    _ body: (LuaView) throws(LuaError) -> Result
  ) throws(LuaError) -> Result {
    guard let (source, node) = try source(of: value) else { return try body(value) }
    let top = unsafe lua_gettop(value.lua)
    defer { unsafe lua_settop(value.lua, top) }
    var writer = unsafe LuaWriter(value.lua)
    try push(source, node, &writer)
    guard writer.isComplete else { throw .message("stack overflow: tables nested too deeply") }
    return try unsafe body(LuaView(value.lua, top + 1))
  }

  private func requireSource(
    _ call: borrowing LuaCall
  ) throws(LuaError) -> (source: any LuaViewSource, node: Int64) {
    guard let found = try source(of: call[1]) else {
      throw call.argumentError(1, expected: "view")
    }
    return found
  }

  func registerViews() {
    let index = add("index") { call, results throws(LuaError) in
      let (source, node) = try call.state.requireSource(call)
      try source.read(node, key: call[2], into: &results)
      if results.count == 0 { results.pushNil() }
    }
    let length = add("length") { call, results throws(LuaError) in
      let (source, node) = try call.state.requireSource(call)
      results.push(Int64(try source.count(node)))
    }
    let step = add("pairs") { call, results throws(LuaError) in
      let (source, node) = try call.state.requireSource(call)
      try results.pushStep(source, node, cursor: call[2].integer ?? 0)
    }
    let next = add("next") { call, results throws(LuaError) in
      let (source, node) = try call.state.requireSource(call)
      var cursor: Int64 = 0
      if !call[2].isNil {
        guard let found = try source.cursor(node, after: call[2]) else {
          throw .message("invalid key to 'next'")
        }
        cursor = found
      }
      _ = try source.step(node, cursor: cursor, into: &results)
      if results.count == 0 {
        results.pushNil()
        results.pushNil()
      }
    }
    unsafe starling_make_view_type(host, index, length, step, next)
  }
}

extension LuaWriter {
  /// Pushes the next cursor before the pair, which is what the C side of `pairs` takes.
  fileprivate mutating func pushStep(
    _ source: any LuaViewSource, _ node: Int64, cursor: Int64
  ) throws(LuaError) {
    let next = try source.step(node, cursor: cursor, into: &self)
    guard let next, count == 2 else { return reset() }
    push(next)
    unsafe lua_rotate(lua, -3, 1)  // [-0, +0, -]
  }
}

// MARK: - Objects

/// A type of host objects: what Lua code can do with them. Each function gets the object as its
/// first argument and asks `LuaState.payload` for it.
package struct LuaObjectType: Sendable {
  let number: Int32
}

extension LuaState {
  /// - Parameters:
  ///   - name: what error messages and `tostring` call it.
  ///   - index: answers `object.key` and `object:method()`.
  package func makeObjectType(
    _ name: String, index: LuaHostFunction? = nil, newIndex: LuaHostFunction? = nil,
    length: LuaHostFunction? = nil, pairs: LuaHostFunction? = nil, call: LuaHostFunction? = nil
  ) -> LuaObjectType {
    let numbers = [index, newIndex, length, pairs, call].map { body in
      body.map { add(name, plain: [.anything, .anything], $0) } ?? -1
    }
    var bytes = name
    let type = bytes.withUTF8 { utf8 in
      unsafe utf8.withMemoryRebound(to: CChar.self) {
        unsafe LuaObjectType(
          number: starling_make_object_type(
            host, $0.baseAddress, $0.count, numbers[0], numbers[1], numbers[2], numbers[3],
            numbers[4]))
      }
    }
    objectTypeNames[UInt32(bitPattern: type.number)] = name
    return type
  }

  /// What the type of a host object is called; nil for any other value.
  package func objectTypeName(of view: LuaView) -> String? {
    guard let object = view.object, object.form == .object else { return nil }
    return objectTypeNames[object.type]
  }

  /// Makes an object to push. The payload is released after Lua has collected the userdata, at the
  /// end of a call and never inside a collection; push the object once at least, or it stays until
  /// the state closes.
  package func makeObject(_ type: LuaObjectType, _ payload: AnyObject) -> LuaObject {
    releaseObjects()
    let place = unsafe objects.insert(payload)
    return LuaObject(
      slot: place.slot, generation: place.generation, type: UInt32(bitPattern: type.number))
  }

  /// Keeps an object, which is pushed only by what is returned here: each other push makes a value of
  /// its own, which no other is equal to.
  package func keep(_ object: LuaObject) -> LuaKeptObject {
    _ = unsafe lua_checkstack(lua, 4)
    unsafe starling_push_object(
      lua, Int32(bitPattern: object.type), object.slot, object.generation)
    return LuaKeptObject(reference: makeReference())
  }

  /// The payload of an object of this type; nil for any other value.
  package func payload<Payload: AnyObject>(
    of view: LuaView, type: LuaObjectType, as _: Payload.Type = Payload.self
  ) -> Payload? {
    var object = starling_object()
    guard unsafe starling_to_object(view.lua, view.slot, &object),
      Int(object.form) == STARLING_OBJECT, object.type == UInt32(bitPattern: type.number)
    else { return nil }
    return unsafe objects.element(object.slot, object.generation) as? Payload
  }

  /// Ends an object before Lua collects it: a cursor that is closed.
  package func close(_ view: LuaView) {
    guard let object = view.object, object.form == .object else { return }
    _ = unsafe objects.remove(object.slot, object.generation)
  }

  /// How many payloads live; for tests.
  package var liveObjectCount: Int { unsafe objects.count }

  /// Lets go of the payloads whose userdata were collected. Runs their deinit, so only here.
  func releaseObjects() {
    var slot: UInt32 = 0
    while unsafe starling_take_released(host, &slot) { _ = unsafe objects.remove(slot) }
  }
}
