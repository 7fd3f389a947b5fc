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
    _ = XMLPushParser.isReady
    // XML_PARSE_HUGE stays away: with its limits libxml2 refuses entities that multiply.
    let flags = [
      XML_PARSE_RECOVER, XML_PARSE_NOERROR, XML_PARSE_NOWARNING, XML_PARSE_NONET,
      XML_PARSE_BIG_LINES,
    ]
    let document = unsafe bytes.withUnsafeBytes { all in
      let text = unsafe all.bindMemory(to: CChar.self)
      return unsafe xmlReadMemory(
        text.baseAddress, Int32(truncatingIfNeeded: min(text.count, 1 << 30)), nil, nil,
        Int32(flags.reduce(0) { $0 | $1.rawValue }))
    }
    guard let document = unsafe document else { return nil }
    defer { unsafe xmlFreeDoc(document) }
    guard let root = unsafe xmlDocGetRootElement(document) else { return nil }
    var list = BookmarkList()
    unsafe walk(root, &list)
    return list
  }

  /// A walk without recursion: a document may nest deeper than the stack.
  private static func walk(_ root: xmlNodePtr, _ list: inout BookmarkList) {
    var node: xmlNodePtr? = unsafe root
    var folders: [String] = []
    while let here = unsafe node {
      let isOutline =
        unsafe here.pointee.type == XML_ELEMENT_NODE
        && xmlStrcasecmp(here.pointee.name, "outline") == 0
      if isOutline { unsafe take(here, folders, &list) }
      if unsafe here.pointee.type == XML_ELEMENT_NODE, let child = unsafe here.pointee.children {
        if isOutline { folders.append(unsafe attribute(here, "text", "title") ?? "") }
        unsafe node = child
        continue
      }
      unsafe node = after(here, root, &folders)
    }
  }

  private static func after(
    _ node: xmlNodePtr, _ root: xmlNodePtr, _ folders: inout [String]
  ) -> xmlNodePtr? {
    var at = unsafe node
    while unsafe at != root {
      if let sibling = unsafe at.pointee.next { return unsafe sibling }
      guard let parent = unsafe at.pointee.parent else { return nil }
      if unsafe xmlStrcasecmp(parent.pointee.name, "outline") == 0 { _ = folders.popLast() }
      unsafe at = parent
    }
    return nil
  }

  private static func take(_ node: xmlNodePtr, _ folders: [String], _ list: inout BookmarkList) {
    let line = unsafe Int(xmlGetLineNo(node))
    let title = unsafe attribute(node, "text", "title")
    let named = folders.filter { !$0.isEmpty }
    if let feed = unsafe attribute(node, "xmlUrl") {
      let page = unsafe attribute(node, "htmlUrl")
      list.feeds.append(
        Subscription(line: line, url: feed, title: title, page: page, folders: named))
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
  private static func attribute(_ node: xmlNodePtr, _ names: String...) -> String? {
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
