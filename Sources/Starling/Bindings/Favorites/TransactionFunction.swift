import StarlingFavorites
import StarlingLua

/// `favorites.transaction`: levels of the store's transaction around a function of Lua.
///
/// The function is called by a wrapper in Lua, so that an error passes through untouched, whatever
/// value it is, with the traceback of its place. It cannot yield: what others changed until it went on
/// would be part of it, and a coroutine that nobody resumes would take that along.
enum TransactionFunction {
  static let all: [ApiFunction] = [
    ApiFunction(
      "favorites.transaction", in: .script,
      [
        .required("work", .function, "its results are those of the transaction"),
        .rest("arguments", .any, "given to it"),
      ],
      returns: [ApiResult(type: .any, isOptional: true, help: "what the function returned")],
      help:
        "All or nothing: an error takes back what the function changed. It nests, at most 100 deep, and cannot yield."
    ) { _, _, _ throws(LuaError) in
      throw .message("scripts only")  // `install` puts the wrapper in its place
    }
  ]

  private static let wrapper = """
    local level, whole, error, setmetatable, type, pcall, running = ...
    local closing = { __close = function(guard)
      if guard.open then level("rollback", guard.open) end
    end }
    local function finish(guard, ...)
      level("commit", guard.open)
      guard.open = nil
      return ...
    end
    -- Lua leaves what is to be closed open in a coroutine that dies of an error.
    local function settle(guard, done, ...)
      if done then return finish(guard, ...) end
      level("rollback", guard.open)
      error((...), 0)
    end
    return function(work, ...)
      if type(work) ~= "function" then
        error(("bad argument #1 to 'transaction' (function expected, got %s)"):format(
          work == nil and "nil" or type(work)), 2)
      end
      local _, isMain = running()
      if not isMain then
        return settle({ open = level("begin") }, pcall(whole, work, ...))
      end
      local guard <close> = setmetatable({ open = level("begin") }, closing)
      return finish(guard, whole(work, ...))
    end
    """

  static func install(_ binding: StoreBinding, in state: LuaState) throws(LuaError) {
    let type = state.makeObjectType(
      "transaction",
      call: { [unowned binding] call, results throws(LuaError) in
        try run(binding, call, &results)
      })
    let level = state.makeObject(type, Level())
    let chunk = try state.load(wrapper, name: LuaState.hostChunk)
    var names: [LuaFunction] = []
    for name in ["error", "setmetatable", "type", "pcall", "coroutine.running"] {
      if let function = try state.readGlobal(name, { state.keepFunction($0) }) {
        names.append(function)
      }
    }
    let function = try state.call(
      chunk,
      arguments: { writer in
        writer.push(level)
        writer.pushWholeCall()
        for name in names { writer.push(name) }
      },
      results: { results in state.keepFunction(results[1]) })
    guard let function else { return }
    try state.setGlobal("favorites.transaction") { $0.push(function) }
  }

  /// Lua's own C stack ends at 200 calls from C into Lua, of which each level is one.
  private static let deepest = 100

  /// The payload of the object through which the wrapper asks.
  private final class Level {}

  private static func run(
    _ binding: StoreBinding, _ call: borrowing LuaCall, _ results: inout LuaWriter
  ) throws(LuaError) {
    // What the kinds of plugins add to the file is not taken back with the script's own changes.
    let store = try binding.openLevels == 0 ? binding.storeWithPlugins() : binding.store()
    switch try call.text(2) {
    case "begin":
      guard binding.openLevels < deepest else {
        throw .message("transactions lie at most \(deepest) deep in one another")
      }
      try binding.run { () throws(FavoritesError) in try store.begin() }
      binding.openLevels += 1
      results.push(Int64(binding.openLevels))
    case "commit":
      guard call[3].integer == Int64(binding.openLevels), store.isInTransaction else {
        throw .message("transactions end in the order in which they began, the innermost first")
      }
      binding.openLevels -= 1
      try binding.run { () throws(FavoritesError) in try store.commit() }
    default:
      // Levels inside this one that no code can end any more go with it.
      while let level = call[3].integer, level > 0, binding.openLevels >= level {
        binding.openLevels -= 1
        if store.isInTransaction { store.rollback() }
      }
    }
  }
}
