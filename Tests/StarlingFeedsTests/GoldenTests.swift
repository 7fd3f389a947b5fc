import Glibc
import StarlingModel
import Testing

@testable import StarlingFeeds

/// Each input under Fixtures has a `.golden` beside it: what `starling decode` prints, and the
/// damage. `UPDATE_GOLDEN=1 swift test` writes them anew; the difference is reviewed.
@Suite struct GoldenTests {
  static let inputs = Fixtures.all.filter { !$0.hasSuffix(".golden") }

  @Test("an input gives what is on record", arguments: inputs)
  func matches(name: String) throws {
    let decoded = try GoldenTests.decode(Fixtures.read(name), piece: 65536)
    let record = name + ".golden"
    if getenv("UPDATE_GOLDEN") != nil { Fixtures.write(record, decoded) }
    #expect(
      String(decoding: decoded, as: UTF8.self)
        == String(decoding: Fixtures.read(record), as: UTF8.self))
  }

  @Test("how an input is cut into pieces changes nothing", arguments: inputs)
  func piecesDoNotMatter(name: String) throws {
    let bytes = Fixtures.read(name)
    let whole = try GoldenTests.decode(bytes, piece: bytes.count, withOffsets: false)
    for piece in [1, 2, 3, 7, 64, 1000] {
      let pieces = try GoldenTests.decode(bytes, piece: piece, withOffsets: false)
      #expect(String(decoding: pieces, as: UTF8.self) == String(decoding: whole, as: UTF8.self))
    }
  }

  static func decode(_ bytes: [UInt8], piece: Int, withOffsets: Bool = true) throws -> [UInt8] {
    let decoder = FeedDecoder(FeedOptions(url: "https://fixture.example/dir/feed"))
    for start in stride(from: 0, to: bytes.count, by: piece) {
      try decoder.append(Array(bytes[start..<min(start + piece, bytes.count)]))
    }
    try decoder.finish()
    var writer = JSONWriter()
    FeedJSON.write(decoder, to: &writer)
    var text = String(decoding: writer.bytes, as: UTF8.self).replacing("},{", with: "},\n{")
    for damage in decoder.damage.sorted(by: { $0.kind.rawValue < $1.kind.rawValue }) {
      text += withOffsets ? damage.description + "\n" : "\(damage.kind)\n"
    }
    return Array(text.utf8)
  }

  @Test("mutated inputs never crash, hang or grow", arguments: inputs)
  func survivesMutation(name: String) {
    let original = Fixtures.read(name)
    var random = SeededGenerator(seed: UInt64(name.utf8.reduce(7) { $0 * 31 % 65521 + Int($1) }))
    for _ in 0..<120 {
      var bytes = original
      for _ in 0..<Int.random(in: 1...6, using: &random) where !bytes.isEmpty {
        let place = Int.random(in: 0..<bytes.count, using: &random)
        switch Int.random(in: 0..<5, using: &random) {
        case 0: bytes[place] = UInt8.random(in: 0...255, using: &random)
        case 1: bytes.remove(at: place)
        case 2:
          let tokens = [
            "<", "</", "&", "]]>", "<![CDATA[", "<!DOCTYPE", "\"", "<item>", "</item>", "<!--",
            "\u{0}",
          ]
          bytes.insert(
            contentsOf: tokens[Int.random(in: 0..<tokens.count, using: &random)].utf8, at: place)
        case 3: bytes.removeSubrange(place..<min(place + 40, bytes.count))
        default: bytes.insert(contentsOf: bytes[place..<min(place + 60, bytes.count)], at: 0)
        }
      }
      let decoder = FeedDecoder(FeedOptions(url: "https://fixture.example/"))
      for start in stride(from: 0, to: bytes.count, by: 333) {
        try? decoder.append(Array(bytes[start..<min(start + 333, bytes.count)]))
      }
      try? decoder.finish()
      var size = 0
      while let item = decoder.next() {
        size += item.bytes.count
        for element in item.elements { #expect(element.end <= item.elements.count) }
      }
      #expect(size < 100 * original.count + 10_000)
    }
  }
}
