/// The shape of a table that functions take or give, for help, editors and the reference.
struct ApiShape: Sendable {
  struct Field: Sendable {
    var name: String
    var type: ApiType
    var isOptional: Bool
    /// One line.
    var help: String

    static func required(_ name: String, _ type: ApiType, _ help: String) -> Field {
      Field(name: name, type: type, isOptional: false, help: help)
    }

    static func optional(_ name: String, _ type: ApiType, _ help: String) -> Field {
      Field(name: name, type: type, isOptional: true, help: help)
    }
  }

  /// As `ApiType.shape` names it: `starling.Money`.
  var name: String
  /// One line.
  var help: String
  var fields: [Field]

  init(_ name: String, _ help: String, _ fields: [Field]) {
    self.name = name
    self.help = help
    self.fields = fields
  }
}

extension ApiRegistry {
  /// Every shape that a function or another shape names.
  static let shapes: [ApiShape] = [
    valueShapes, feedShapes, optionShapes, favoriteShapes, pluginShapes,
  ].flatMap { $0 }

  private static let valueShapes = [
    ApiShape(
      "starling.Money", "A price or a range of prices.",
      [
        .optional("low", .number, "the lower end in whole units; absent without an amount"),
        .optional("high", .number, "the upper end, the same as low for one price"),
        .optional("currency", .string, "ISO 4217: `CNY`"),
        .required("text", .string, "as published"),
      ]),
    ApiShape(
      "starling.URL", "The parts of an address; what it does not say is absent.",
      [
        .optional("scheme", .string, "in lower case"), .optional("host", .string, "in lower case"),
        .optional("port", .integer, "if it is written"), .required("path", .string, "as it stands"),
        .required("query", .table, "the parameters by name, decoded"),
        .optional("fragment", .string, "what follows `#`"),
      ]),
    ApiShape("starling.Word", "A word of the rule language: a condition or an action.", []),
  ]

  private static let feedShapes = [
    ApiShape(
      "starling.Feed", "A feed as plugins see it.",
      [
        .required("format", .string, "`rss`, `atom`, `rdf`, `jsonfeed` or `json`"),
        .optional("url", .string, "where it was read from"),
        .required(
          "site", .string,
          "what the source says, else the host of its URL, else of its link, or empty"),
        .optional("title", .string, "its title"), .optional("link", .string, "its own page"),
        .optional("id", .string, "its id"), .optional("language", .string, "its language"),
        .optional("image", .string, "the address of its image"),
        .optional("generator", .string, "the program that made it"),
        .required("options", .table, "the source's options"),
        .required(
          "loaded_at", .integer, "when it is loaded, in seconds since 1970, for \"2 hours ago\""),
        .optional("body", .any, "of JSON: a read-only view of the document"),
      ]),
    ApiShape(
      "starling.Item", "An entry of RSS, Atom, RDF or JSON Feed, as published.",
      [
        .optional("id", .string, "guid or id"), .optional("title", .string, "HTML is possible"),
        .optional("url", .string, "absolute where the feed's address is known"),
        .optional("summary", .string, "HTML is possible"),
        .optional("content", .string, "HTML is possible"),
        .optional("author", .string, "the first one's name"),
        .optional("authors", .list(.string), "all names"),
        .optional("categories", .list(.string), "in the order of the feed"),
        .optional("published", .integer, "seconds since 1970, UTC"),
        .optional("updated", .integer, "seconds since 1970, UTC"),
        .optional("image", .string, "an address"),
        .optional("comments", .string, "the address of the comments"),
        .optional("enclosures", .list(.table), "url, type, length"),
        .optional("links", .list(.table), "href, rel, type"),
        .optional("permalink", .boolean, "what `isPermaLink` says of an RSS guid"),
        .optional(
          "elements", .list(.shape("starling.Element")),
          "all that has no other place, such as a category with a domain, or an author's email"),
      ]),
    ApiShape(
      "starling.Element", "An element of XML that has no field of its own.",
      [
        .required("name", .string, "with its usual prefix: `media:thumbnail`"),
        .optional("text", .string, "its text"), .optional("attributes", .table, "by name"),
        .optional("elements", .list(.shape("starling.Element")), "what is inside"),
      ]),
    ApiShape(
      "starling.DecodedFeed", "A feed with its entries.",
      [
        .required("format", .string, "`rss`, `atom`, `rdf`, `jsonfeed` or `json`"),
        .optional("url", .string, "as the options say"),
        .required("site", .string, "the host of its URL, else of its link, or empty"),
        .optional("title", .string, "its title"), .optional("link", .string, "its own page"),
        .optional("id", .string, "its id"), .optional("language", .string, "its language"),
        .optional("image", .string, "the address of its image"),
        .optional("generator", .string, "the program that made it"),
        .required("options", .table, "empty"),
        .required("entries", .list(.shape("starling.Item")), "empty for plain JSON"),
        .optional("body", .any, "of JSON: the document as tables"),
        .optional("cut", .boolean, "whether the document ends before its end"),
        .optional("damage", .list(.string), "what else was wrong with the document"),
      ]),
    ApiShape(
      "starling.RequestOptions", "What makes a request conditional: what the last response gave.",
      [
        .optional("etag", .string, "as the server wrote it"),
        .optional("last_modified", .string, "as the server wrote it"),
      ]),
    ApiShape(
      "starling.Response", "What a server said of the document that it sent.",
      [
        .required("status", .integer, "200, or 304 when it has not changed"),
        .required("url", .string, "after redirects"),
        .optional("content_type", .string, "as the server wrote it"),
        .optional("etag", .string, "as the server wrote it"),
        .optional("last_modified", .string, "as the server wrote it"),
      ]),
    ApiShape(
      "starling.ProcessOptions", "What a program is given.",
      [.optional("input", .string, "its standard input; empty when left out")]),
    ApiShape(
      "starling.Process", "What became of a program.",
      [
        .required("status", .integer, "0 to 255; 128 and more when a signal ended it"),
        .required("output", .string, "what it wrote to standard output"),
        .required("errors", .string, "what it wrote to standard error"),
      ]),
    ApiShape(
      "starling.DecodeOptions", "What is known of a document beside its bytes.",
      [
        .optional("url", .string, "the base of relative addresses"),
        .optional("content_type", .string, "as a server sent it"),
        .optional("charset", .string, "whatever the document says"),
      ]),
  ]

  private static let optionShapes = [
    ApiShape(
      "starling.Query", "What to fetch.",
      [
        .optional("where", .table, "conditions in the words of the rules, by field"),
        .optional(
          "order", .string, "a field, `starred_at` or `first_seen`; `-` before it descends"),
        .optional("limit", .integer, "at most so many"),
        .optional("after", .string, "the cursor that an earlier fetch gave"),
        .optional("tag", .string, "only favorites with this tag"),
        .optional(
          "text", .string,
          "only what has each of these words in its texts; the best first, but where rows are streamed"
        ),
        .optional("causes", .boolean, "whether rows have their causes; they cost a look each"),
      ]),
    ApiShape(
      "starling.InsertOptions", "What to attach to a favorite.",
      [
        .optional(
          "tags", .union([.string, .list(.string)]),
          "added to those that it has; at most 100, of 256 bytes each"
        ),
        .optional("note", .string, "in place of the one that it has; at most 64 KB"),
      ]),
    ApiShape(
      "starling.DeleteOptions", "How to take a favorite away.",
      [.optional("refuse", .boolean, "whether it may not come back unless you star it")]),
    ApiShape(
      "starling.HistoryOptions", "Which changes to list.",
      [
        .optional("kind", .string, "of this kind"),
        .optional("key", .any, "with kind: of this one"),
        .optional("run", .integer, "of this run"),
        .optional("before", .integer, "only older than this change's id"),
        .optional("limit", .integer, "at most so many, 50 when left out"),
      ]),
    ApiShape(
      "starling.Undo", "What to take back: one of these.",
      [
        .optional("id", .integer, "one change"), .optional("run", .integer, "a run"),
        .optional("rule", .string, "all that a rule did"),
      ]),
    ApiShape(
      "starling.Limits", "What Lua may use.",
      [
        .optional("time", .string, "of one call: `5s`"),
        .optional("memory", .string, "of one state: `64MB`"),
      ]),
  ]

  private static let favoriteShapes = [
    ApiShape(
      "starling.Entity", "An entity; its kind's fields beside these.",
      [
        .required("kind", .string, "its kind"), .required("key", .string, "its key"),
        .optional("starred_at", .integer, "of a favorite: since when, seconds since 1970"),
        .optional("tags", .list(.string), "of a favorite: sorted"),
        .optional("note", .string, "of a favorite, if it has one"),
        .optional("causes", .list(.shape("starling.Cause")), "of a favorite, where asked for"),
        .optional("first_seen", .integer, "from entities: seconds since 1970"),
        .optional("last_seen", .integer, "from entities: to within a day"),
        .optional("source", .string, "from entities: the feed that had it first"),
      ]),
    ApiShape(
      "starling.Cause", "Why something is a favorite.",
      [
        .required("by", .string, "`hand`, `rule`, `script` or `import`"),
        .optional("rule", .string, "its name"), .optional("version", .string, "of the rule's text"),
        .optional("script", .string, "its name"), .optional("file", .string, "that was imported"),
        .optional("line", .integer, "in that file"),
        .required("at", .integer, "seconds since 1970"),
        .optional("evidence", .list(.shape("starling.Evidence")), "what the rule saw"),
      ]),
    ApiShape(
      "starling.Evidence", "What a rule saw in one field.",
      [
        .required("field", .string, "its name"), .required("value", .string, "as people read it"),
        .required("condition", .string, "as the rule says it"),
      ]),
    ApiShape(
      "starling.Change", "A change of the history; who made it is said as in a cause.",
      [
        .required("id", .integer, "grows with each change"),
        .required("at", .integer, "seconds since 1970"),
        .required("action", .string, "`star`, `unstar`, `cause`, `tag`, `refuse`, ..."),
        .required("kind", .string, "of what"), .required("key", .string, "of what"),
        .required("by", .string, "`hand`, `rule`, `script` or `import`"),
        .optional("run", .integer, "the run that it belongs to"),
        .required("undone", .boolean, "whether it was taken back"),
        .optional("tags", .list(.string), "that came or went"),
        .optional("reason", .string, "from undo: why it was left"),
      ]),
    ApiShape(
      "starling.Kind", "A kind, as plugins declare it.",
      [
        .required("name", .string, "its name"),
        .required("key", .union([.string, .list(.string)]), "fields, or `auto`"),
        .required("fields", .list(.shape("starling.Field")), "in the order of declaration"),
        .required("indexes", .list(.string), "fields that have one"),
      ]),
    ApiShape(
      "starling.Field", "A field of a kind.",
      [
        .required("name", .string, "its name"),
        .required(
          "type", .string, "text, integer, real, boolean, url, time, money or list"),
      ]),
    ApiShape(
      "starling.Members", "The keys of a kind's favorites in memory: `members[key]`, `#members`.",
      [.required("refresh", .function, "`members:refresh()` looks again")]),
  ]

  private static let pluginShapes = [
    ApiShape(
      "starling.Plugin", "What the file of a plugin returns.",
      [
        .required("kinds", .table, "names of shared kinds, and declarations by name"),
        .optional("accepts", .function, "function(feed): whether the feed is for this plugin"),
        .optional("items", .function, "function(feed): a view or a list; the entries if left out"),
        .required("map", .function, "function(item, feed): an entity, a list, or nil and why"),
      ])
  ]
}
