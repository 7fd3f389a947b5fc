import CXML2
import Glibc
import StarlingModel

/// A web page that was served where a feed was expected.
enum HTMLPage {
  /// Whether a document's beginning is that of a web page.
  ///
  /// - Parameter root: the name of its first element.
  static func isPage(_ head: [UInt8], root: String?) -> Bool {
    if let root, parts.contains(root.lowercased()) { return true }
    let text = String(decoding: head.prefix(4096), as: UTF8.self).lowercased()
    return ["<html", "<!doctype html"].contains { text.contains($0) }
  }

  private static let parts: Set<String> = [
    "head", "body", "meta", "title", "div", "p", "h1", "h2", "center", "script", "style", "table",
  ]

  private static let types: Set<String> = [
    "application/rss+xml", "application/atom+xml", "application/rdf+xml", "application/feed+json",
    "application/json", "application/xml", "text/xml", "application/x.atom+xml",
  ]

  /// The addresses of the feeds that the page's head announces (`link rel="alternate"`), in order.
  static func feedLinks(_ head: [UInt8], base: String?) -> [String] {
    _ = XMLPushParser.isReady
    var links: [String] = []
    let flags = [HTML_PARSE_RECOVER, HTML_PARSE_NOERROR, HTML_PARSE_NOWARNING, HTML_PARSE_NONET]
    let options = Int32(flags.reduce(0) { $0 | $1.rawValue })
    let count = Int32(truncatingIfNeeded: min(head.count, 1 << 20))
    let document = unsafe head.withUnsafeBytes { bytes in
      unsafe htmlReadMemory(
        bytes.baseAddress?.assumingMemoryBound(to: CChar.self), count, nil, "UTF-8", options)
    }
    guard let document = unsafe document else { return [] }
    defer { unsafe xmlFreeDoc(document) }
    var base = base
    var node = unsafe xmlDocGetRootElement(document)
    while let element = unsafe node {
      if let name = unsafe element.pointee.name {
        if unsafe isText(name, "link"),
          let link = unsafe feedLink(element, base: base), !links.contains(link)
        {
          links.append(link)
        } else if unsafe isText(name, "base"),
          let href = unsafe attribute(element, "href")
        {
          base = base.flatMap { URLReference.join($0, href) } ?? href
        }
      }
      unsafe node = next(element)
    }
    return links
  }

  private static func feedLink(_ element: xmlNodePtr, base: String?) -> String? {
    guard let href = unsafe attribute(element, "href"),
      let rel = unsafe attribute(element, "rel")?.lowercased(),
      let type = unsafe attribute(element, "type")?.lowercased(),
      rel.split(separator: " ").contains(where: { $0 == "alternate" || $0 == "feed" }),
      types.contains(type.prefix { $0 != ";" }.trimmed)
    else { return nil }
    return base.flatMap { URLReference.join($0, href) } ?? href
  }

  private static func attribute(_ element: xmlNodePtr, _ name: StaticString) -> String? {
    var property = unsafe element.pointee.properties
    while let here = unsafe property {
      if let own = unsafe here.pointee.name, unsafe isText(own, name),
        let content = unsafe here.pointee.children?.pointee.content
      {
        let text = unsafe String(cString: content).trimmed
        return text.isEmpty ? nil : text
      }
      unsafe property = here.pointee.next
    }
    return nil
  }

  private static func isText(_ text: UnsafePointer<xmlChar>, _ name: StaticString) -> Bool {
    unsafe xmlStrcasecmp(text, name.utf8Start) == 0
  }

  /// The next node in document order.
  private static func next(_ node: xmlNodePtr) -> xmlNodePtr? {
    if let child = unsafe node.pointee.children, unsafe node.pointee.type == XML_ELEMENT_NODE {
      return unsafe child
    }
    var at: xmlNodePtr? = unsafe node
    while let here = unsafe at {
      if let sibling = unsafe here.pointee.next { return unsafe sibling }
      unsafe at = here.pointee.parent
    }
    return nil
  }
}
