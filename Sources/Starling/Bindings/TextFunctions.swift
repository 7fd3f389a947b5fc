import StarlingFeeds
import StarlingLua

/// `text.*`: text as a person would read it.
enum TextFunctions {
  static let all: [ApiFunction] = [
    ApiFunction(
      "text.plain", in: .everywhere,
      [.optional("html", .string, "HTML, or text with entities; nil gives nil")],
      returns: [ApiResult(type: .string, isOptional: true, help: "the text")],
      help: "Text as a person would read it: no markup, entities decoded, white space folded."
    ) { _, call, results throws(LuaError) in
      let plain = try unsafe call.withText(1) { html throws(LuaError) in
        let state = call.state
        let text = unsafe HTMLText.plain(html) { state.mustStop }
        try state.checkBudget()
        return text
      }
      if let plain { results.push(plain) } else { results.pushNil() }
    },
    ApiFunction(
      "text.trim", in: .everywhere,
      [.optional("text", .string, "any text; nil gives nil")],
      returns: [ApiResult(type: .string, isOptional: true, help: "the text without its ends")],
      help: "Takes white space off both ends, the ideographic space too."
    ) { _, call, results throws(LuaError) in
      let trimmed: Void? = try unsafe call.withText(1) { text throws(LuaError) in
        unsafe results.push(TextTrim.trimmed(text))
      }
      if trimmed == nil { results.pushNil() }
    },
  ]
}

/// White space at the ends of UTF-8.
enum TextTrim {
  static func trimmed(_ text: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
    var start = 0
    var end = text.count
    while start < end {
      let width = unsafe blank(at: start, in: text, before: end)
      if width == 0 { break }
      start += width
    }
    while end > start {
      let width = unsafe blank(endingAt: end, in: text, from: start)
      if width == 0 { break }
      end -= width
    }
    return unsafe UnsafeRawBufferPointer(rebasing: text[start..<end])
  }

  private static func blank(
    endingAt end: Int, in text: UnsafeRawBufferPointer, from start: Int
  ) -> Int {
    for width in 1...3 where end - width >= start {
      if unsafe blank(at: end - width, in: text, before: end) == width { return width }
    }
    return 0
  }

  /// Bytes of the white space at a place, 0 when there is none: ASCII's, U+0085, U+00A0, U+1680,
  /// U+2000 to U+200B, U+2028, U+2029, U+202F, U+205F, U+3000 and U+FEFF (Unicode: White_Space, and
  /// two that look like it).
  private static func blank(
    at place: Int, in text: UnsafeRawBufferPointer, before end: Int
  ) -> Int {
    let first = unsafe text[place]
    if first == 0x20 || (0x09...0x0D).contains(first) { return 1 }
    guard place + 1 < end else { return 0 }
    let second = unsafe text[place + 1]
    if first == 0xC2 { return second == 0x85 || second == 0xA0 ? 2 : 0 }
    guard place + 2 < end else { return 0 }
    let third = unsafe text[place + 2]
    let isBlank =
      switch (first, second) {
      case (0xE1, 0x9A): third == 0x80
      case (0xE2, 0x80): third <= 0x8B || third == 0xA8 || third == 0xA9 || third == 0xAF
      case (0xE2, 0x81): third == 0x9F
      case (0xE3, 0x80): third == 0x80
      case (0xEF, 0xBB): third == 0xBF
      default: false
      }
    return isBlank ? 3 : 0
  }
}
