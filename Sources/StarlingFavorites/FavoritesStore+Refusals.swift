public import StarlingModel
import StarlingSQLite

extension FavoritesStore {
  /// Whether the user said no to this key, or to the one that it stands for.
  public func isRefused(kind: String, key: String) throws(FavoritesError) -> Bool {
    let handle = try handle(kind: kind)
    try noticeOthers()
    handle.forgetFlags()
    return unsafe try FavoritesStore.withBytes(of: key) { key throws(FavoritesError) in
      try sql { () throws(SQLiteError) in try unsafe isRefused(handle, key: key) }
    }
  }

  /// Lifts a refusal. The entity does not become a favorite by that.
  ///
  /// - Returns: whether there was one.
  @discardableResult
  public func allow(
    kind: String, key: String, by origin: Cause.Origin? = nil
  ) throws(FavoritesError) -> Bool {
    let handle = try handle(kind: kind)
    return try write { () throws(FavoritesError) in
      let acting = try acting(origin)
      return unsafe try FavoritesStore.withBytes(of: key) { key throws(FavoritesError) in
        try sql { () throws(SQLiteError) in
          let entity = try unsafe find(handle, key: key)
          return try unsafe liftRefusal(handle, entity: entity, key: key, acting)
        }
      }
    }
  }

  /// The refusals of one kind or of all, by kind and key.
  public func refusals(kind: String? = nil) throws(FavoritesError) -> [Refusal] {
    let asked: [KindHandle]
    if let kind { asked = [try handle(kind: kind)] } else { asked = handles }
    return try sql { () throws(SQLiteError) in
      var refusals: [Refusal] = []
      let list = try statement(.refusalsOf)
      for handle in asked {
        list.bind(1, handle.id)
        while try list.step() {
          refusals.append(
            Refusal(
              kind: handle.kind.name, key: list.string(0) ?? "",
              at: Timestamp(secondsSinceEpoch: list.integer(1))))
        }
      }
      return refusals
    }
  }
}
