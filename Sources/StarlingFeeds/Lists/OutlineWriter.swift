import CXML2
import StarlingModel

/// Changes an outline (OPML 2.0) and keeps the rest of it as it is.
package enum OutlineWriter {
  /// Adds a feed at the end of the body.
  ///
  /// - Parameter bytes: the outline; nil makes one.
  /// - Returns: nil when it is no outline.
  package static func adding(_ feed: Subscription, to bytes: [UInt8]?) -> [UInt8]? {
    let empty = "<?xml version=\"1.0\"?>\n<opml version=\"2.0\"><head/><body/></opml>"
    return unsafe changed(bytes ?? Array(empty.utf8)) { body in
      guard let node = unsafe xmlNewChild(body, nil, "outline", nil) else { return }
      let attributes = [
        ("type", "rss"), ("text", feed.title ?? feed.url), ("xmlUrl", feed.url),
        ("htmlUrl", feed.page), ("plugin", feed.plugin), ("every", feed.every),
      ]
      for (name, value) in attributes {
        if let value { _ = unsafe xmlNewProp(node, name, value) }
      }
    }
  }

  /// Takes every outline of a feed away.
  package static func removing(url: String, from bytes: [UInt8]) -> [UInt8]? {
    unsafe changed(bytes) { body in
      var found: [xmlNodePtr] = unsafe []
      unsafe OutlineReader.forEachOutline(body) { node in
        if unsafe OutlineReader.attribute(node, "xmlUrl") == url { unsafe found.append(node) }
      }
      unsafe found.forEach { node in
        unsafe xmlUnlinkNode(node)
        unsafe xmlFreeNode(node)
      }
    }
  }

  private static func changed(
    _ bytes: [UInt8], _ change: (xmlNodePtr) -> Void
  ) -> [UInt8]? {
    guard let document = unsafe OutlineReader.document(bytes) else { return nil }
    defer { unsafe xmlFreeDoc(document) }
    guard let root = unsafe xmlDocGetRootElement(document),
      unsafe xmlStrcasecmp(root.pointee.name, "opml") == 0
    else { return nil }
    var child = unsafe root.pointee.children
    while let node = unsafe child, unsafe xmlStrcasecmp(node.pointee.name, "body") != 0 {
      unsafe child = node.pointee.next
    }
    guard let body = unsafe child ?? xmlNewChild(root, nil, "body", nil) else { return nil }
    unsafe change(body)
    var text: UnsafeMutablePointer<xmlChar>?
    var count: Int32 = 0
    unsafe xmlDocDumpFormatMemoryEnc(document, &text, &count, "UTF-8", 1)
    guard let start = unsafe text else { return nil }
    defer { unsafe starling_xml_free(start) }
    return unsafe Array(UnsafeBufferPointer(start: start, count: Int(count)))
  }
}
