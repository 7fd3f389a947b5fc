import CXML2
import StarlingModel

/// Reads an outline (OPML 1.0 and 2.0): subscriptions (`xmlUrl`) and links (`url`).
package enum OutlineReader {
  /// Whether a document is an outline, by its beginning.
  package static func isOne(_ bytes: [UInt8]) -> Bool {
    String(decoding: bytes.prefix(4096), as: UTF8.self).lowercased().contains("<opml")
  }

  /// Outlines inside one another count as folders. A damaged document gives what can be read of it.
  ///
  /// - Returns: nil when it is no XML at all.
  package static func read(_ bytes: [UInt8]) -> BookmarkList? {
    guard let document = unsafe document(bytes) else { return nil }
    defer { unsafe xmlFreeDoc(document) }
    guard let root = unsafe xmlDocGetRootElement(document) else { return nil }
    var list = BookmarkList()
    unsafe forEachOutline(root) { node in unsafe take(node, &list) }
    return list
  }

  static func document(_ bytes: [UInt8]) -> xmlDocPtr? {
    _ = XMLPushParser.isReady
    // XML_PARSE_HUGE stays away: with its limits libxml2 refuses entities that multiply.
    let flags = [
      XML_PARSE_RECOVER, XML_PARSE_NOERROR, XML_PARSE_NOWARNING, XML_PARSE_NONET,
      XML_PARSE_BIG_LINES, XML_PARSE_NOBLANKS,
    ]
    let document = unsafe bytes.withUnsafeBytes { all in
      let text = unsafe all.bindMemory(to: CChar.self)
      return unsafe xmlReadMemory(
        text.baseAddress, Int32(truncatingIfNeeded: min(text.count, 1 << 30)), nil, nil,
        Int32(flags.reduce(0) { $0 | $1.rawValue }))
    }
    // Attributes are read with their entities put in, so there must be none that grow.
    if let read = unsafe document, unsafe read.pointee.intSubset?.pointee.entities != nil {
      unsafe xmlFreeDoc(read)
      return nil
    }
    return unsafe document
  }

  /// A walk without recursion: a document may nest deeper than the stack.
  static func forEachOutline(_ root: xmlNodePtr, _ body: (xmlNodePtr) -> Void) {
    var node: xmlNodePtr? = unsafe root
    while let here = unsafe node {
      if unsafe isOutline(here) { unsafe body(here) }
      if unsafe here.pointee.type == XML_ELEMENT_NODE, let child = unsafe here.pointee.children {
        unsafe node = child
      } else {
        unsafe node = after(here, root)
      }
    }
  }

  private static func after(_ node: xmlNodePtr, _ root: xmlNodePtr) -> xmlNodePtr? {
    var at = unsafe node
    while unsafe at != root {
      if let sibling = unsafe at.pointee.next { return unsafe sibling }
      guard let parent = unsafe at.pointee.parent else { return nil }
      unsafe at = parent
    }
    return nil
  }

  private static func isOutline(_ node: xmlNodePtr) -> Bool {
    unsafe node.pointee.type == XML_ELEMENT_NODE
      && xmlStrcasecmp(node.pointee.name, "outline") == 0
  }

  /// What the outlines around it are called, the outermost first; of a deep one the nearest 20.
  private static func folders(of node: xmlNodePtr) -> [String] {
    var names: [String] = []
    var at = unsafe node.pointee.parent
    while let parent = unsafe at, unsafe isOutline(parent), names.count < 20 {
      if let name = unsafe attribute(parent, "text", "title") { names.append(name) }
      unsafe at = parent.pointee.parent
    }
    return names.reversed()
  }

  private static func take(_ node: xmlNodePtr, _ list: inout BookmarkList) {
    let line = unsafe Int(xmlGetLineNo(node))
    let title = unsafe attribute(node, "text", "title")
    let named = unsafe folders(of: node)
    if let url = unsafe attribute(node, "xmlUrl") {
      var feed = Subscription(line: line, url: url, title: title)
      feed.page = unsafe attribute(node, "htmlUrl")
      feed.plugin = unsafe attribute(node, "plugin")
      feed.every = unsafe attribute(node, "every")
      feed.folders = named
      list.feeds.append(feed)
    } else if let url = unsafe attribute(node, "url", "htmlUrl", "href") {
      var bookmark = Bookmark(line: line, url: url, title: title)
      // "/Boston/Weather,/Harvard" (OPML 2.0, "category").
      let categories = unsafe attribute(node, "category", "tags") ?? ""
      for part in categories.split(separator: ",").map({ String($0).trimmed }) + named {
        let tag = part.hasPrefix("/") ? String(part.dropFirst()) : part
        if !tag.isEmpty, !bookmark.tags.contains(tag) { bookmark.tags.append(tag) }
      }
      bookmark.note = unsafe attribute(node, "description", "_note")
      bookmark.added = unsafe attribute(node, "created").flatMap { Timestamp(parsing: $0) }
      list.bookmarks.append(bookmark)
    }
  }

  /// The first of these attributes that says something; names in any case of letters.
  static func attribute(_ node: xmlNodePtr, _ names: String...) -> String? {
    for name in names {
      var property = unsafe node.pointee.properties
      while let here = unsafe property {
        if let own = unsafe here.pointee.name, unsafe xmlStrcasecmp(own, name) == 0,
          let value = unsafe xmlNodeListGetString(node.pointee.doc, here.pointee.children, 1)
        {
          defer { unsafe starling_xml_free(value) }
          let text = unsafe String(cString: value).trimmed
          if !text.isEmpty { return text }
        }
        unsafe property = here.pointee.next
      }
    }
    return nil
  }
}
