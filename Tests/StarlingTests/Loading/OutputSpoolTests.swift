import Testing

@testable import Starling

@Suite struct OutputSpoolTests {
  @Test("what goes beyond the limit comes back whole and in order", arguments: [0, 10, 1 << 20])
  func givesBack(limit: Int) throws {
    let spool = OutputSpool(memoryLimitBytes: limit)
    var expected: [UInt8] = []
    for number in 0..<20_000 {
      let piece = Array("\(number) ".utf8)
      expected += piece
      try spool.append(piece)
    }
    var found: [UInt8] = []
    try spool.forEach { found += $0 }
    #expect(found == expected)
  }
}
