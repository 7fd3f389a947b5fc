// A host hands out its store, and the store its values: an app imports one module.
@_exported public import StarlingFavorites
