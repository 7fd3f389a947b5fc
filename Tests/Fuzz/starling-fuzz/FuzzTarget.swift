import StarlingFeeds
import StarlingModel

/// What is done with an input: everything that takes a publisher's bytes. It may refuse them; it
/// may not trap, hang, or read what is not there, which the address sanitizer watches.
enum FuzzTarget {
  private static let types = [
    nil, "text/xml", "application/json; charset=utf-8", "text/xml; charset=gbk",
    "text/xml; charset=shift_jis", "text/xml; charset=iso-2022-jp", "text/xml; charset=koi8-r",
  ]

  /// - Parameter choice: chooses the size of the pieces and what comes with the document.
  static func run(_ bytes: UnsafeRawBufferPointer, choice: UInt8) {
    unsafe decode(bytes, choice: Int(choice))
    unsafe strict(bytes)
    _ = unsafe HTMLText.plain(bytes)
    let head = unsafe UnsafeRawBufferPointer(rebasing: bytes.prefix(300))
    _ = unsafe Timestamp(parsing: head)
    let text = unsafe String(decoding: head, as: UTF8.self)
    _ = URLReference.canonical(text)
    _ = URLReference.join("https://e.example/a/b?c", text)
  }

  /// Reads strict JSON where it is, so that the sanitizer sees each byte beyond its end, and looks at
  /// all of it.
  private static func strict(_ bytes: UnsafeRawBufferPointer) {
    guard let document = unsafe try? JSONDocument(borrowing: bytes) else { return }
    precondition(document.tapeBytes <= 2 * bytes.count + 8)
    var open = [document.root]
    while let node = open.popLast() {
      unsafe document.withText(node) { text in
        precondition(unsafe String(validating: text, as: UTF8.self) != nil)
      }
      precondition(document.real(node).isFinite)
      var next = document.firstChild(node)
      while let child = next {
        open.append(child)
        next = document.nextSibling(child, in: node)
      }
    }
  }

  private static func decode(_ bytes: UnsafeRawBufferPointer, choice: Int) {
    let decoder = FeedDecoder(
      FeedOptions(
        url: choice & 1 == 0 ? nil : "https://e.example/feed",
        contentType: types[(choice >> 1) % types.count]))
    let size = [1, 7, 333, 1 << 16][choice >> 6]
    var writer = JSONWriter()
    do throws(FeedError) {
      var at = 0
      while at < bytes.count {
        let end = min(at + size, bytes.count)
        try unsafe decoder.append(UnsafeRawBufferPointer(rebasing: bytes[at..<end]))
        at = end
      }
      try decoder.finish()
      FeedJSON.write(decoder, to: &writer)
      for damage in decoder.damage {
        precondition(damage.offset <= bytes.count && damage.kind != .refusedMarkup, "\(damage)")
      }
    } catch {
      precondition(!error.description.contains("\n"), error.description)
    }
  }
}

#if FUZZER
  /// libFuzzer's entry: the last byte chooses, so that mutation of the rest keeps the choice.
  @_cdecl("LLVMFuzzerTestOneInput")
  public func fuzzOneInput(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
    let input = unsafe UnsafeRawBufferPointer(start: bytes, count: count)
    guard let choice = unsafe input.last else { return 0 }
    unsafe FuzzTarget.run(UnsafeRawBufferPointer(rebasing: input.dropLast()), choice: choice)
    return 0
  }
#endif
