import StarlingModel

/// The plugin that `plugins new` writes when it is shown no feed, with its one fixture.
enum PluginTemplate {
  static func sketch(name: String, kind: String) -> PluginSketch {
    PluginSketch(
      summary: "Articles of example.org", kind: kind, key: ["id"],
      fields: [
        .init(name: "id", type: .text, expression: "item.id"),
        .init(name: "title", type: .text, expression: "text.plain(item.title)"),
        .init(name: "url", type: .url, expression: "url.join(feed.url, item.path)"),
        .init(
          name: "author", type: .text, expression: "item.author and item.author.name"),
        .init(name: "published", type: .time, expression: "item.published_at"),
      ],
      indexes: ["published"],
      accepts: [
        "feed.format == \"json\"", "feed.site == \"example.org\"",
        "feed.body.articles ~= nil",
      ],
      items: "feed.body.articles",
      opening: ["if item.sponsored then return nil, \"sponsored\" end"])
  }

  static let input = """
    {
      "articles": [
        {
          "id": 1,
          "title": "Owls &amp; larks",
          "path": "/articles/1",
          "author": { "name": "Ann Example" },
          "published_at": "2026-11-02T08:30:00Z"
        },
        { "id": 2, "title": "A word from our sponsor", "path": "/articles/2", "sponsored": true },
        { "id": 3, "title": "Starlings at dusk", "path": "/articles/3", "author": null }
      ]
    }

    """

  static let options = "{\"url\":\"https://example.org/api/articles.json\"}\n"
}
