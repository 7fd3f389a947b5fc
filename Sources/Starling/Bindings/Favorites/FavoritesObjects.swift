import StarlingFavorites
import StarlingLua
import StarlingModel

/// The types of the objects that `favorites` and `entities` give to Lua.
final class FavoritesObjects {
  private let members: LuaObjectType
  private let rows: LuaObjectType
  private let stop: LuaObjectType

  init(_ state: LuaState) {
    let types = Types()
    members = state.makeObjectType(
      "members",
      index: { [types] call, results throws(LuaError) in
        try types.member(call, &results)
      },
      length: { [types] call, results throws(LuaError) in
        results.push(Int64(try types.members(call).set.count))
      },
      call: { [types] call, results throws(LuaError) in
        let members = try types.members(call)
        results.push(
          try unsafe members.binding.withKey(call, 2) { key throws(LuaError) in
            unsafe members.set.contains(key)
          })
      })
    rows = state.makeObjectType(
      "rows",
      call: { [types] call, results throws(LuaError) in
        guard let type = types.rows,
          let rows: RowIterator = call.state.payload(of: call[1], type: type)
        else { throw call.argumentError(1, expected: "rows") }
        try rows.next(call.state, &results)
      })
    stop = state.makeObjectType(
      "stop",
      call: { [types] call, _ throws(LuaError) in
        guard let type = types.stop,
          let observer: Observer = call.state.payload(of: call[1], type: type)
        else { throw call.argumentError(1, expected: "stop") }
        observer.stop()
      })
    types.members = members
    types.rows = rows
    types.stop = stop
    types.refresh = FavoritesObjects.refresh(state, types)
  }

  func push(_ set: MemberSet, _ binding: StoreBinding, _ call: borrowing LuaCall) -> LuaObject {
    call.state.makeObject(members, Members(set, binding))
  }

  func push(_ rows: RowIterator, _ call: borrowing LuaCall) -> LuaObject {
    call.state.makeObject(self.rows, rows)
  }

  func push(
    _ token: ObserverToken, _ binding: StoreBinding, _ call: borrowing LuaCall
  ) -> LuaObject {
    call.state.makeObject(stop, Observer(token, binding))
  }

  /// `members:refresh()` as a function of Lua: an object that is called.
  private static func refresh(_ state: LuaState, _ types: Types) -> LuaObjectType {
    state.makeObjectType(
      "refresh",
      call: { [types] call, results throws(LuaError) in
        let members = try types.members(call, 2)
        try members.binding.run { () throws(FavoritesError) in try members.set.refresh() }
        results.push(call[2])
      })
  }

  /// The payload of a `members` object.
  private final class Members {
    let set: MemberSet
    let binding: StoreBinding

    init(_ set: MemberSet, _ binding: StoreBinding) {
      self.set = set
      self.binding = binding
    }
  }

  /// The payload of what `favorites.on` gives.
  private final class Observer {
    private let token: ObserverToken
    private let binding: StoreBinding

    init(_ token: ObserverToken, _ binding: StoreBinding) {
      self.token = token
      self.binding = binding
    }

    func stop() { binding.stopObserving(token) }
  }

  /// The types, for the functions that were made before them.
  private final class Types {
    var members: LuaObjectType?
    var rows: LuaObjectType?
    var stop: LuaObjectType?
    var refresh: LuaObjectType?

    @inline(__always)
    func members(
      _ call: borrowing LuaCall, _ position: Int = 1
    ) throws(LuaError) -> Members {
      guard let type = members,
        let members: Members = call.state.payload(of: call[position], type: type)
      else { throw call.argumentError(position, expected: "members") }
      return members
    }

    /// `members[key]`: whether it is one; `members.refresh`: the method, unless that is a key.
    func member(_ call: borrowing LuaCall, _ results: inout LuaWriter) throws(LuaError) {
      let members = try members(call)
      if let key = unsafe call.second.bytes {
        if unsafe members.set.contains(key) { return results.push(true) }
        if unsafe key.elementsEqual("refresh".utf8), let refresh {
          return results.push(call.state.makeObject(refresh, members))
        }
        return results.push(false)
      }
      results.push(
        try unsafe members.binding.withKey(call, 2) { key throws(LuaError) in
          unsafe members.set.contains(key)
        })
    }
  }
}
