package import StarlingFeeds
package import StarlingLua

/// A JSON document as Lua sees it: read-only views of its nodes, made as they are asked for, so
/// that a document never has to fit into a plugin's memory. `null` reads as nil.
package final class JSONView: LuaViewSource {
  private let document: JSONDocument
  private let handle: LuaDocumentBox

  /// Makes the document known to a state.
  package static func lend(_ document: JSONDocument, to state: LuaState) -> JSONView {
    let box = LuaDocumentBox()
    let view = JSONView(document, box)
    box.handle = state.lend(view)
    return view
  }

  private init(_ document: JSONDocument, _ handle: LuaDocumentBox) {
    self.document = document
    self.handle = handle
  }

  /// Ends all views; a later use of one raises an error in Lua.
  package func retract(from state: LuaState) {
    if let handle = handle.handle { state.retract(handle) }
  }

  package func pushRoot(to writer: inout LuaWriter) {
    push(document.root, to: &writer)
  }

  /// Pushes a node: a scalar as it is, an array or object as a view.
  private func push(_ node: JSONDocument.Node, to writer: inout LuaWriter) {
    switch document.kind(node) {
    case .null: writer.pushNil()
    case .boolean: writer.push(document.boolean(node))
    case .integer: writer.push(document.integer(node))
    case .real: writer.push(document.real(node))
    case .string, .bigNumber:
      unsafe document.withText(node) { bytes in unsafe writer.push(bytes) }
    case .array, .object:
      if let handle = handle.handle { writer.push(handle, node: node.place) }
    }
  }

  package func read(
    _ node: Int64, key: LuaView, into value: inout LuaWriter
  ) throws(LuaError) {
    let node = JSONDocument.Node(place: node)
    switch document.kind(node) {
    case .array:
      guard key.type != .string, let position = key.integer, position >= 1,
        let index = Int(exactly: position - 1), let child = document.element(node, index)
      else { return }
      push(child, to: &value)
    case .object:
      guard let name = unsafe key.bytes, let child = unsafe document.member(node, name) else {
        return
      }
      push(child, to: &value)
    default: return
    }
  }

  /// An object has no length, as a Lua table without a sequence.
  package func count(_ node: Int64) throws(LuaError) -> Int {
    let node = JSONDocument.Node(place: node)
    return document.kind(node) == .array ? document.count(node) : 0
  }

  /// The cursor is the number of children that were given.
  package func step(
    _ node: Int64, cursor: Int64, into pair: inout LuaWriter
  ) throws(LuaError) -> Int64? {
    let parent = JSONDocument.Node(place: node)
    return document.kind(parent) == .array
      ? stepArray(parent, cursor, &pair) : stepObject(parent, cursor, &pair)
  }

  private func stepArray(
    _ parent: JSONDocument.Node, _ cursor: Int64, _ pair: inout LuaWriter
  ) -> Int64? {
    var index = Int(clamping: cursor)
    while let child = document.element(parent, index) {
      index += 1
      if document.kind(child) == .null { continue }
      pair.push(Int64(index))
      push(child, to: &pair)
      return Int64(index)
    }
    return nil
  }

  /// The cursor is the place of the next key, 0 for the first.
  private func stepObject(
    _ parent: JSONDocument.Node, _ cursor: Int64, _ pair: inout LuaWriter
  ) -> Int64? {
    var next = cursor == 0 ? document.firstChild(parent) : JSONDocument.Node(place: cursor)
    while let key = next, key.place > 0 {
      guard let child = document.nextSibling(key, in: parent) else { return nil }
      next = document.nextSibling(child, in: parent)
      if document.kind(child) == .null || !isLast(key, child, of: parent) { continue }
      push(key, to: &pair)
      push(child, to: &pair)
      return next?.place ?? -1
    }
    return nil
  }

  /// Of members with one name the last counts, here as for an index.
  private func isLast(
    _ key: JSONDocument.Node, _ child: JSONDocument.Node, of parent: JSONDocument.Node
  ) -> Bool {
    unsafe document.withText(key) { name in unsafe document.member(parent, name) == child }
  }

  package func cursor(_ node: Int64, after key: LuaView) throws(LuaError) -> Int64? {
    let parent = JSONDocument.Node(place: node)
    if document.kind(parent) == .array { return key.integer }
    guard let name = unsafe key.bytes, let child = unsafe document.member(parent, name) else {
      return nil
    }
    return document.nextSibling(child, in: parent)?.place ?? -1
  }

  package func pushCopy(_ place: Int64, to writer: inout LuaWriter) throws(LuaError) {
    try writer.push(document, JSONDocument.Node(place: place), nulls: false)
  }

  /// A part of a document as plain tables, as `LuaState.withCopy` asks for it.
  static func pushCopy(
    _ source: any LuaViewSource, _ node: Int64, to writer: inout LuaWriter
  ) throws(LuaError) {
    guard let view = source as? JSONView else {
      throw .conversion(expected: "table", found: "a read-only view", path: "")
    }
    try view.pushCopy(node, to: &writer)
  }

  func isArray(_ place: Int64) -> Bool {
    document.kind(JSONDocument.Node(place: place)) == .array
  }

  package func isNull(_ place: Int64) -> Bool {
    document.kind(JSONDocument.Node(place: place)) == .null
  }

  /// Gives the places of an array's elements, one after another, until `body` says false.
  package func forEachElement(
    of place: Int64, _ body: (Int64) -> Bool
  ) {
    let parent = JSONDocument.Node(place: place)
    guard document.kind(parent) == .array else { return }
    var next = document.firstChild(parent)
    while let child = next {
      if !body(child.place) { return }
      next = document.nextSibling(child, in: parent)
    }
  }
}

@available(*, unavailable)
extension JSONView: Sendable {}

/// Holds what `lend` gives for a view source that has to exist before it.
private final class LuaDocumentBox {
  var handle: LuaDocument?
}

extension LuaWriter {
  /// Pushes a node and all in it as plain Lua values.
  ///
  /// - Parameter nulls: whether `null` becomes `json.null`; else it is left out (in an array: a hole
  ///   would cut the list short, so the elements after it move up).
  package mutating func push(
    _ document: JSONDocument, _ node: JSONDocument.Node, nulls: Bool
  ) throws(LuaError) {
    switch document.kind(node) {
    case .null: if nulls { pushNull() } else { pushNil() }
    case .boolean: push(document.boolean(node))
    case .integer: push(document.integer(node))
    case .real: push(document.real(node))
    case .string, .bigNumber:
      unsafe document.withText(node) { bytes in unsafe push(bytes) }
    case .array: try pushArray(document, node, nulls: nulls)
    case .object: try pushObject(document, node, nulls: nulls)
    }
  }

  private mutating func pushArray(
    _ document: JSONDocument, _ node: JSONDocument.Node, nulls: Bool
  ) throws(LuaError) {
    try array(count: document.count(node)) { list throws(LuaError) in
      var next = document.firstChild(node)
      while let child = next {
        next = document.nextSibling(child, in: node)
        if document.kind(child) == .null && !nulls { continue }
        try list.append { writer throws(LuaError) in
          try writer.push(document, child, nulls: nulls)
        }
      }
    }
  }

  private mutating func pushObject(
    _ document: JSONDocument, _ node: JSONDocument.Node, nulls: Bool
  ) throws(LuaError) {
    try table(fields: document.count(node)) { table throws(LuaError) in
      var next = document.firstChild(node)
      while let key = next {
        guard let child = document.nextSibling(key, in: node) else { return }
        next = document.nextSibling(child, in: node)
        if !nulls && document.kind(child) == .null { continue }
        unsafe document.withText(key) { bytes in unsafe table.begin(named: bytes) }
        try table.end { writer throws(LuaError) in
          try writer.push(document, child, nulls: nulls)
        }
      }
    }
  }
}
