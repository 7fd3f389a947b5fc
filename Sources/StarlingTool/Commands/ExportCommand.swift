import Starling
import StarlingFavorites
import StarlingModel

extension Command {
  static let exportFavorites = Command(
    spec: CommandSpec(
      "export", operands: "[KIND]",
      summary: "Write the favorites for another tool",
      details:
        "json (one object a line) keeps everything and is what `import` reads back; bookmarks is "
        + "the HTML that browsers import; opml is an outline of links. The two take what has an "
        + "address of http or https.",
      options: [
        OptionSpec("--format", value: "FORMAT", help: "json (default), bookmarks or opml"),
        OptionSpec("--tag", value: "TAG", help: "only favorites with this tag"),
      ],
      maximumOperands: 1)
  ) { context throws(ToolError) in
    let name = context.arguments.value("--format") ?? "json"
    guard let format = ExportFormat(rawValue: name) else {
      throw .usage("--format is json, bookmarks or opml, not \"\(name)\"")
    }
    let store = try context.store(forOptional: context.arguments.operand(0))
    let kinds =
      try context.arguments.operand(0).map { name throws(ToolError) in
        [try context.kind(name, in: store)]
      } ?? store.kinds
    let writer = ExportWriter(format, io: context.io)
    writer.begin()
    for kind in kinds where !context.io.out.isClosed {
      var query = Query(kind: kind.name)
      query.tag = context.arguments.value("--tag")
      try stored { () throws(FavoritesError) in
        try context.writeRows(query, of: store) { row throws(FavoritesError) in
          if let favorite = try row.favorite() { writer.write(favorite, kind) }
        }
      }
    }
    writer.end()
    if writer.withoutAddress > 0 {
      context.io.report(
        "export",
        CountText.of(
          writer.withoutAddress, "favorite has no address of the web and is left out;",
          "favorites have no address of the web and are left out;")
          + " --format json keeps all")
    }
    return .done
  }
}

private enum ExportFormat: String {
  case json, bookmarks, opml
}

/// Writes favorites as they come.
private final class ExportWriter {
  private let format: ExportFormat
  private let io: ToolIO
  private(set) var withoutAddress = 0

  init(_ format: ExportFormat, io: ToolIO) {
    self.format = format
    self.io = io
  }

  func begin() {
    switch format {
    case .json: break
    case .bookmarks:
      io.out.write(
        """
        <!DOCTYPE NETSCAPE-Bookmark-file-1>
        <META HTTP-EQUIV="Content-Type" CONTENT="text/html; charset=UTF-8">
        <TITLE>Starling</TITLE>
        <H1>Starling</H1>
        <DL><p>

        """)
    case .opml:
      io.out.write(
        """
        <?xml version="1.0" encoding="UTF-8"?>
        <opml version="2.0"><head><title>Starling</title></head><body>

        """)
    }
  }

  func write(_ favorite: Favorite, _ kind: Kind) {
    if format == .json {
      var json = JSONWriter()
      json.favorite(favorite, kind: kind)
      json.newline()
      io.out.write(json.bytes)
      return
    }
    // A `javascript:` link of a feed would be a bookmark that runs.
    guard let address = favorite.entity.webAddress else {
      withoutAddress += 1
      return
    }
    let title = favorite.entity.title ?? address
    io.out.write(
      format == .bookmarks
        ? bookmark(favorite, address, title) : outline(favorite, address, title))
  }

  func end() {
    switch format {
    case .json: break
    case .bookmarks: io.out.write("</DL><p>\n")
    case .opml: io.out.write("</body></opml>\n")
    }
  }

  private func bookmark(_ favorite: Favorite, _ address: String, _ title: String) -> String {
    var text = "<DT><A HREF=\"\(Markup.escaped(address))\""
    text += " ADD_DATE=\"\(favorite.starredAt.secondsSinceEpoch)\""
    if !favorite.tags.isEmpty {
      text += " TAGS=\"\(Markup.escaped(favorite.tags.joined(separator: ",")))\""
    }
    text += ">\(Markup.escaped(title))</A>\n"
    if let note = favorite.note { text += "<DD>\(Markup.escaped(note))\n" }
    return text
  }

  private func outline(_ favorite: Favorite, _ address: String, _ title: String) -> String {
    var text = "<outline type=\"link\" text=\"\(Markup.escaped(title))\""
    text += " url=\"\(Markup.escaped(address))\" created=\"\(favorite.starredAt)\""
    if !favorite.tags.isEmpty {
      text += " category=\"\(Markup.escaped(favorite.tags.joined(separator: ",")))\""
    }
    if let note = favorite.note { text += " description=\"\(Markup.escaped(note))\"" }
    return text + "/>\n"
  }
}

/// Text for HTML and XML.
private enum Markup {
  /// Without what would end a text or an attribute; control characters, which XML cannot hold, are
  /// left out and line ends become blanks.
  static func escaped(_ text: String) -> String {
    var result = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      case "\"": result += "&quot;"
      case "\n", "\r", "\t": result += " "
      case let control where control.value < 0x20 || control.value == 0x7F: break
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }
}

extension Entity {
  /// Where it can be read: its link, else its url.
  var address: String? {
    for name in ["link", "url"] {
      if case .text(let address) = values[name] { return address }
    }
    return nil
  }

  /// The address, if it is one of the web: any other scheme could start a program of a feed's choice.
  var webAddress: String? {
    address.flatMap { address in
      let start = address.prefix(8).lowercased()
      return start.hasPrefix("http://") || start.hasPrefix("https://") ? address : nil
    }
  }

  fileprivate var title: String? {
    for name in ["title", "name"] {
      if case .text(let title) = values[name] { return title }
    }
    return nil
  }
}
