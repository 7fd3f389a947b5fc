import StarlingLua
import StarlingModel

/// The tables that become entities: their kinds, fields, and values that are written out.
extension PluginCheck {
  var declared: [String] { plugin.declarations.map(\.name) }

  /// Tables that say a `kind`, and those that `map` gives where there is one kind: whether it is
  /// declared, and has their fields.
  mutating func checkTables(_ outline: LuaOutline, _ path: String) {
    guard plugin.refusal == nil else { return }
    let makers = makers(outline)
    for table in outline.tables {
      var kinds = table.kinds
      let writes = table.holder.map(outline.writes) ?? []
      for case .text(let kind) in writes.filter({ $0.name == "kind" }).map(\.value) {
        kinds.append(kind)
      }
      let isReturned = table.isReturned || table.holder.map(outline.returnedLocals.contains) == true
      if kinds.isEmpty {
        let isOnly = declared.count == 1 && !table.hasKind && path == plugin.path
        guard isOnly, isReturned, makers.contains(table.function ?? -1) else { continue }
        kinds = declared
      }
      check(kinds, table, isReturned: isReturned, outline, path)
      let isWhole = outline.tables.count { $0.holder == table.holder } == 1
      guard isWhole, kinds.allSatisfy(declared.contains) else { continue }
      check(writes, of: kinds, outline, path)
    }
    guard declared.count == 1, path == plugin.path else { return }
    for local in makers.flatMap({ outline.functions[$0].returned }) {
      guard case .call? = outline.origins[local] else { continue }
      let writes = outline.writes(local)
      if !writes.contains(where: { $0.name == "kind" }) {
        check(writes, of: declared, outline, path)
      }
    }
  }

  /// `map`, and the functions whose results it gives as its own.
  private func makers(_ outline: LuaOutline) -> Set<Int> {
    guard let module = outline.returned else { return [] }
    var makers = Set(
      outline.functions.indices.filter {
        outline.functions[$0].base == .local(module) && outline.functions[$0].name == "map"
      })
    var waiting = Array(makers)
    while let maker = waiting.popLast() {
      let function = outline.functions[maker]
      var called = function.returnedCalls
      for local in function.returned {
        if case .call(let local)? = outline.origins[local] { called.insert(local) }
      }
      for (index, function) in outline.functions.enumerated() {
        guard let local = function.local, called.contains(local) else { continue }
        if makers.insert(index).inserted { waiting.append(index) }
      }
    }
    return makers
  }

  private mutating func check(
    _ kinds: [String], _ table: LuaOutline.Table, isReturned: Bool, _ outline: LuaOutline,
    _ path: String
  ) {
    for kind in kinds where !declared.contains(kind) {
      let hint = PluginCheck.hint(kind, declared)
      // Other tables may have a `kind` too, which means something else.
      guard isReturned || !hint.isEmpty else { return }
      let line = table.fields.first { $0.name == "kind" }?.line ?? table.line
      add(.kind, path, line, "the plugin declares no kind `\(kind)`\(hint)")
    }
    let known = kinds.filter(declared.contains)
    guard !known.isEmpty else { return }
    for field in table.fields where field.name != "kind" {
      check(field.name, field.value, field.line, of: known, outline, path)
    }
  }

  private mutating func check(
    _ writes: [LuaOutline.FieldUse], of kinds: [String], _ outline: LuaOutline, _ path: String
  ) {
    for write in writes where write.name != "kind" && !write.name.isEmpty {
      check(write.name, write.value, write.line, of: kinds, outline, path)
    }
  }

  private mutating func check(
    _ field: String, _ value: LuaOutline.Literal, _ line: Int, of kinds: [String],
    _ outline: LuaOutline, _ path: String
  ) {
    let fields = kinds.flatMap { model[$0]?.fields ?? [] }
    let known = fields.filter { $0.name == field }
    guard let first = known.first else {
      let hint = PluginCheck.hint(field, fields.map(\.name))
      let kind = kinds.map { "`\($0)`" }.joined(separator: " or ")
      return add(.field, path, line, "kind \(kind) has no field `\(field)`\(hint)")
    }
    guard known.allSatisfy({ $0.type == first.type }) else { return }
    if let fault = LiteralCheck.fault(of: value, as: first, outline) {
      add(.field, path, line, fault)
    }
  }
}

/// Whether a value that is written out can become a field's: what reads entities is asked, so that it
/// is said in the words of a load.
private enum LiteralCheck {
  static func fault(
    of value: LuaOutline.Literal, as field: Field, _ outline: LuaOutline
  ) -> String? {
    switch value {
    case .other: return nil
    case .text(let text): return fault(as: field) { $0.push(text) }
    case .number(let digits):
      guard let number = Double(digits) else { return nil }
      return fault(as: field) { writer in
        if let whole = Int64(digits) { writer.push(whole) } else { writer.push(number) }
      }
    case .boolean: return fault(as: field) { $0.push(true) }
    case .table(let index):
      let names = outline.tables[index].fields.map(\.name)
      switch field.type {
      case .money where names.isEmpty: return nil
      case .money:
        // Whatever its parts are, they have to be those of a price.
        return fault(as: field) { writer in
          try? writer.table { table throws(LuaError) in
            for name in names { try table.set(named: name) { $0.push(Int64(1)) } }
          }
        }
      case .list:
        return names.first.map {
          "\(field.name): a list expected, got a table with the key `\($0)`"
        }
      default: return fault(as: field) { writer in try? writer.table { _ in } }
      }
    }
  }

  private static func fault(
    as field: Field, _ push: (inout LuaWriter) -> Void
  ) -> String? {
    do throws(LuaError) {
      let state = try LuaState(.plugin)
      let table = try state.makeTable { table throws(LuaError) in
        try table.set(named: field.name) { push(&$0) }
      }
      let kind = Kind(name: "entity", key: .auto, fields: [field])
      var reader = EntityReader(kind: kind, state: state)
      var record = EntityRecord()
      try state.read(table) { view throws(LuaError) in try reader.read(view, into: &record) }
      return reader.takeUnreadable().first.map { "\(field.name): no time: \"\($0)\"" }
    } catch {
      return error.messageWithoutLocation
    }
  }
}

extension LuaOutline {
  /// What is assigned to fields of a variable.
  func writes(_ local: Local) -> [FieldUse] {
    fields.filter { $0.base == .local(local) && $0.isWrite }
  }

  /// Whether a variable holds a table that is written out.
  func holdsTable(_ local: Local) -> Bool { tables.contains { $0.holder == local } }
}
