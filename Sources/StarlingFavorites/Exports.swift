// An app that imports the store needs its values too: entities, kinds, conditions.
@_exported public import StarlingModel
