public import StarlingFavorites
import StarlingModel

extension Host {
  /// The Lua surface of this host, the app's own functions among it.
  package var surface: ApiSurface {
    ApiSurface.standard.adding(configuration.appFunctions)
  }

  /// The reference of everything that Lua code of this host may call, as Markdown.
  public var reference: String { ApiReference.markdown(surface) }

  /// Annotations for editors (LuaCATS): this host's functions and the kinds of its plugins and its
  /// app. Written to a file that the editor's workspace has, such as `app.meta.lua`.
  public var annotations: String { MetaFile.text(kinds: model.kinds, surface) }

  /// What `help(name)` says of a function, a value or a shape; nil when there is none by this name.
  public func help(_ name: String) -> String? { ApiHelp.text(name, in: surface) }
}

extension Host.Configuration {
  /// Gives Lua code one more function.
  ///
  /// - Throws: `HostError` of kind `host` when there is one of this name.
  public mutating func add(_ function: AppFunction) throws(HostError) {
    let first = function.name.prefix { $0 != "." }
    let isTaken = appFunctions.contains { known in
      let other = known.name.prefix { $0 != "." }
      // A global is a function or a table, not both.
      return known.name == function.name
        || other == first && (other.count == known.name.count || first.count == function.name.count)
    }
    guard !isTaken else {
      throw HostError(.host, "there is one of this name", subject: "function \(function.name)")
    }
    appFunctions.append(function.function)
  }

  /// Declares the kinds of Swift types, beside those of the plugins.
  ///
  /// - Throws: `HostError` of kind `host` for a type that cannot be mapped.
  public mutating func declare(_ types: [any FavoriteEntity.Type]) throws(HostError) {
    do throws(FavoritesError) {
      for type in types { kinds.append(try type.declaration) }
    } catch {
      throw HostError(.host, error.description, cause: error)
    }
  }
}
