/// Turns the XML that publishers send into XML that a parser takes, piece by piece.
///
/// In go pieces of valid UTF-8; out comes a document without declaration, comments, processing
/// instructions and document type, in which every tag is closed, every attribute quoted, every
/// reference one of XML's own five, and every text a mark (`TextRuns`). No parser behind it meets an
/// entity declaration, so none can be made to read a file or to grow.
///
/// Rules for what is not well-formed:
/// - Text before the first element that can be a feed's root is left out, also tags (PHP warnings).
/// - An end tag closes the elements above its own; one without a start is left out.
/// - Items do not nest: one that begins closes the one that is open; nor do the texts of one, such as
///   `title` and `link`.
/// - `&` that begins no known reference and `<` that begins no tag are text.
/// - Control characters that XML forbids are left out.
/// - The entities of an internal subset are replaced once, as text; entities in their values are
///   not; all that they add is limited.
/// - Elements deeper than 200 lose their tags, not their text; so do elements with names that are new
///   once there have been 50,000, for the parser never forgets a name.
struct MarkupRepair {
  enum Mode { case text, cdata, comment, instruction, doctype }

  static let maximumDepth = 200
  /// Elements deeper than this are not even remembered.
  static let maximumMemory = 10_000
  /// How many open elements, and how many anchors below them, an end tag is compared with.
  static let maximumReach = 256
  /// A tag longer than this is taken as text.
  static let maximumTagBytes = 1 << 20
  /// More attributes than this in one tag are left out: libxml2 compares each with all others.
  static let maximumAttributes = 500
  /// How many names a document may have before no other is taken.
  static let maximumNames = 50_000
  /// What declared entities may add to one document.
  static let maximumEntityBytes = 1 << 20

  /// What the parser is to read next; the caller empties it.
  let output = ByteBuffer(capacity: 1 << 16)
  /// The texts between its tags.
  let texts = TextRuns()
  var damage = DamageLog()
  /// The name of the root element, once it has been met.
  var root: String?
  /// The first name of an element that can be no root, if one came before the root.
  var rejectedRoot: String?
  /// Whether the root element has been closed by its own tag.
  var isComplete = false
  /// Whether the document ended with open elements.
  var isCut = false
  /// Where in `output` the end tags begin that a cut document lacks.
  var endOfGiven = 0

  var mode = Mode.text
  var pending: [UInt8] = []
  /// How many bytes came before `pending`.
  var offset = 0
  /// The names of the open elements, one after the other, and where each begins.
  let names = ByteBuffer()
  var starts: [Int] = []
  /// Which of them are items, feeds or channels.
  var containers: [Bool] = []
  /// The levels of these and of their children: however much is left open inside of one of them, its
  /// end tag finds it.
  var anchors: [Int] = []
  /// Whether the innermost open element is one whose text nobody reads.
  var isInContainer = false
  var entities: [[UInt8]: [UInt8]] = [:]
  var entityBytes = 0
  /// The parser, once it may learn no other names.
  var knownNames: XMLPushParser?

  /// Takes a piece; with `isLast`, closes what is open.
  mutating func push(_ piece: UnsafeBufferPointer<UInt8>, isLast: Bool) {
    if pending.isEmpty {
      let used = unsafe run(piece, isLast: isLast)
      unsafe pending.append(contentsOf: piece[used...])
      offset += used
    } else {
      var input: [UInt8] = []
      swap(&input, &pending)
      unsafe input.append(contentsOf: piece)
      let used = unsafe input.withUnsafeBufferPointer { unsafe run($0, isLast: isLast) }
      input.removeSubrange(..<used)
      swap(&input, &pending)
      offset += used
    }
    texts.mark(in: output)
    if isLast { finish() }
  }

  mutating func finish() {
    pending.removeAll()
    isCut = root != nil && !isComplete
    endOfGiven = output.count
    if isCut {
      while !starts.isEmpty { pop() }
      isComplete = false  // it was us who closed the root
    }
  }

  /// Reads as far as it can.
  ///
  /// - Returns: how many bytes it needs no more.
  mutating func run(_ input: UnsafeBufferPointer<UInt8>, isLast: Bool) -> Int {
    var at = 0
    while at < input.count {
      let next: Int? =
        switch mode {
        case .text: unsafe text(input, at, isLast)
        case .cdata: unsafe cdata(input, at, isLast)
        case .comment: unsafe skip(input, at, "-->")
        case .instruction: unsafe skip(input, at, "?>")
        case .doctype: unsafe doctype(input, at, isLast)
        }
      guard let next else { break }
      at = next
    }
    return at
  }

  var isInside: Bool { root != nil && !isComplete }
}
