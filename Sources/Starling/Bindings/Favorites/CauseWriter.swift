import StarlingFavorites
import StarlingLua
import StarlingModel

/// The names of what a cause says in Lua, as `--json` has them, interned in one state.
struct CauseKeys {
  let by: LuaKey
  let rule: LuaKey
  let version: LuaKey
  let script: LuaKey
  let file: LuaKey
  let line: LuaKey
  let at: LuaKey
  let evidence: LuaKey
  let field: LuaKey
  let value: LuaKey
  let condition: LuaKey

  init(_ state: LuaState) {
    by = state.key("by")
    rule = state.key("rule")
    version = state.key("version")
    script = state.key("script")
    file = state.key("file")
    line = state.key("line")
    at = state.key("at")
    evidence = state.key("evidence")
    field = state.key("field")
    value = state.key("value")
    condition = state.key("condition")
  }
}

extension LuaTableWriter {
  /// Sets who acted: `by`, and what belongs to it.
  mutating func set(_ origin: Cause.Origin, _ keys: CauseKeys) {
    switch origin {
    case .hand:
      set(keys.by, "hand")
    case .rule(let name, let version):
      set(keys.by, "rule")
      set(keys.rule, name)
      set(keys.version, version)
    case .script(let name):
      set(keys.by, "script")
      set(keys.script, name)
    case .import(let file, let line):
      set(keys.by, "import")
      set(keys.file, file)
      set(keys.line, Int64(line))
    }
  }
}

extension LuaWriter {
  /// Pushes causes as a list.
  mutating func push(_ causes: [Cause], _ keys: CauseKeys) throws(LuaError) {
    try array(count: causes.count) { list throws(LuaError) in
      for cause in causes {
        try list.append { writer throws(LuaError) in try writer.push(cause, keys) }
      }
    }
  }

  private mutating func push(_ cause: Cause, _ keys: CauseKeys) throws(LuaError) {
    try table(fields: 5) { table throws(LuaError) in
      table.set(cause.origin, keys)
      table.set(keys.at, cause.at.secondsSinceEpoch)
      if cause.evidence.isEmpty { return }
      try table.set(keys.evidence) { writer throws(LuaError) in
        try writer.push(cause.evidence, keys)
      }
    }
  }

  private mutating func push(_ evidence: [Evidence], _ keys: CauseKeys) throws(LuaError) {
    try array(count: evidence.count) { list throws(LuaError) in
      for item in evidence {
        try list.append { writer throws(LuaError) in
          try writer.table(fields: 3) { table in
            table.set(keys.field, item.field)
            table.set(keys.value, item.value)
            table.set(keys.condition, item.condition)
          }
        }
      }
    }
  }

  /// Pushes a change of the history; with why it was left, when an undo left it.
  mutating func push(
    _ change: Change, _ keys: RowKeys, reason: String? = nil
  ) throws(LuaError) {
    try table(fields: 10) { table throws(LuaError) in
      try table.set(named: "id") { $0.push(change.id) }
      table.set(keys.cause.at, change.at.secondsSinceEpoch)
      try table.set(named: "action") { $0.push(change.action.rawValue) }
      table.set(keys.kind, change.kind)
      table.set(keys.key, change.key)
      table.set(change.by, keys.cause)
      if let run = change.run { try table.set(named: "run") { $0.push(run) } }
      try table.set(named: "undone") { $0.push(change.isUndone) }
      if let reason { try table.set(named: "reason") { $0.push(reason) } }
      if change.tags.isEmpty { return }
      try table.set(keys.tags) { writer throws(LuaError) in
        try writer.array(count: change.tags.count) { list in
          for tag in change.tags { list.append(tag) }
        }
      }
    }
  }
}
