import CXML2

/// libxml2's push parser with SAX2 events and no document tree.
///
/// Its input is what `MarkupRepair` makes: UTF-8 without a document type, so that no entity can be
/// declared and no file or address named, and with marks for texts, as sections. XML_PARSE_HUGE lifts only the limits on lengths; the depth
/// is limited before. Without XML_PARSE_NOENT, libxml2 gives `&` in an attribute as `&#38;`, for the
/// tree that it would build.
@safe final class XMLPushParser {
  private let context: xmlParserCtxtPtr

  /// - Parameter builder: takes the events, and must outlive the parser.
  /// - Throws: `.library` when libxml2 has no memory for a context.
  init(builder: UnsafeMutablePointer<FeedBuilder>) throws(FeedError) {
    _ = XMLPushParser.isReady
    var handlers = unsafe XMLPushParser.handlers()
    guard
      let made = unsafe xmlCreatePushParserCtxt(
        &handlers, UnsafeMutableRawPointer(builder), nil, 0, nil)
    else { throw .library("libxml2 gives no parser") }
    unsafe context = made
    let options = [
      XML_PARSE_RECOVER, XML_PARSE_NONET, XML_PARSE_HUGE, XML_PARSE_NOERROR, XML_PARSE_NOWARNING,
      XML_PARSE_NOENT,
    ]
    _ = unsafe xmlCtxtUseOptions(context, Int32(options.reduce(0) { $0 | $1.rawValue }))
    _ = unsafe xmlSwitchEncoding(context, XML_CHAR_ENCODING_UTF8)
  }

  deinit {
    unsafe xmlFreeParserCtxt(context)
  }

  func parse(_ bytes: UnsafeBufferPointer<UInt8>, isLast: Bool) {
    let limit = 1 << 30
    var rest = unsafe bytes[...]
    repeat {
      let piece = unsafe UnsafeBufferPointer(rebasing: rest.prefix(limit))
      unsafe rest = rest.dropFirst(limit)
      let ends = unsafe isLast && rest.isEmpty
      unsafe piece.withMemoryRebound(to: CChar.self) { text in
        _ = unsafe xmlParseChunk(context, text.baseAddress, Int32(text.count), ends ? 1 : 0)
      }
    } while unsafe !rest.isEmpty
  }

  /// Whether it has left whole tags unread: it has met what it does not get over.
  var isStuck: Bool {
    guard let input = unsafe context.pointee.input else { return false }
    return unsafe input.pointee.end - input.pointee.cur > 64
  }

  /// How many names it has met, of elements, attributes, prefixes and namespaces.
  var nameCount: Int { Int(unsafe xmlDictSize(context.pointee.dict)) }

  /// Whether it has met a name.
  func hasMet(_ name: UnsafeBufferPointer<UInt8>) -> Bool {
    let count = Int32(truncatingIfNeeded: name.count)
    return unsafe xmlDictExists(context.pointee.dict, name.baseAddress, count) != nil
  }

  /// Runs xmlInitParser once in the process, whichever thread comes first.
  static let isReady: Bool = {
    xmlInitParser()
    return true
  }()

  private static func handlers() -> xmlSAXHandler {
    var handlers = unsafe xmlSAXHandler()
    unsafe handlers.initialized = XML_SAX2_MAGIC
    unsafe handlers.startElementNs = { target, name, prefix, uri, _, _, count, _, attributes in
      guard let target = unsafe target, let name = unsafe name else { return }
      unsafe target.assumingMemoryBound(to: FeedBuilder.self).pointee.start(
        name, prefix: prefix, uri: uri,
        attributes: XMLAttributes(base: attributes, count: Int(count)))
    }
    unsafe handlers.endElementNs = { target, _, _, _ in
      guard let target = unsafe target else { return }
      unsafe target.assumingMemoryBound(to: FeedBuilder.self).pointee.end()
    }
    unsafe handlers.cdataBlock = { target, bytes, count in
      guard let target = unsafe target, let bytes = unsafe bytes else { return }
      unsafe target.assumingMemoryBound(to: FeedBuilder.self).pointee.text(
        mark: UnsafeBufferPointer(start: bytes, count: Int(count)))
    }
    unsafe handlers.serror = { _, _ in }
    return unsafe handlers
  }
}

/// The attributes of one start tag: five pointers each, as SAX2 gives them (libxml2:
/// startElementNsSAX2Func). Valid during the event only.
@unsafe struct XMLAttributes {
  var base: UnsafeMutablePointer<UnsafePointer<xmlChar>?>?
  var count: Int

  /// The local name of an attribute, ended by a zero byte.
  func name(_ index: Int) -> UnsafePointer<UInt8>? { unsafe base?[index * 5] }
  func prefix(_ index: Int) -> UnsafePointer<UInt8>? { unsafe base?[index * 5 + 1] }
  func uri(_ index: Int) -> UnsafePointer<UInt8>? { unsafe base?[index * 5 + 2] }

  func value(_ index: Int) -> UnsafeBufferPointer<UInt8> {
    guard let start = unsafe base?[index * 5 + 3], let end = unsafe base?[index * 5 + 4],
      unsafe end >= start
    else { return unsafe UnsafeBufferPointer(start: nil, count: 0) }
    return unsafe UnsafeBufferPointer(start: start, count: end - start)
  }

  /// The value of the attribute with that local name and no namespace, in any case of letters.
  func value(_ name: StaticString) -> UnsafeBufferPointer<UInt8>? {
    for index in unsafe 0..<count {
      guard let own = unsafe self.name(index) else { continue }
      if unsafe prefix(index) == nil, unsafe xmlStrcasecmp(own, name.utf8Start) == 0 {
        return unsafe value(index)
      }
    }
    return nil
  }

  /// The value of `xml:NAME`.
  func xmlValue(_ name: StaticString) -> UnsafeBufferPointer<UInt8>? {
    for index in unsafe 0..<count {
      guard let own = unsafe self.name(index), let prefix = unsafe prefix(index) else { continue }
      if unsafe xmlStrEqual(prefix, "xml") != 0, unsafe xmlStrEqual(own, name.utf8Start) != 0 {
        return unsafe value(index)
      }
    }
    return nil
  }
}
