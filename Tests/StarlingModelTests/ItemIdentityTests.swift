import Testing

@testable import StarlingModel

@Suite struct ItemIdentityTests {
  private func moved(_ key: String) -> String? {
    var key = key
    return key.withUTF8 { bytes in
      let bytes = UnsafeRawBufferPointer(bytes)
      guard let scheme = ItemIdentity.scheme(bytes) else { return nil }
      return String(decoding: ItemIdentity.moved(bytes, from: scheme), as: UTF8.self)
    }
  }

  @Test(
    "a web address has another scheme to move to, and nothing else has",
    arguments: [
      ("http://e.example/1", "https://e.example/1"), ("https://e.example/1", "http://e.example/1"),
      ("HTTP://e.example/1", nil), ("http://", nil), ("httpx://e.example", nil), ("007", nil),
      ("", nil), ("urn:x:http://e.example", nil), ("tag:e.example,2026:1", nil),
    ])
  func movesAddresses(key: String, expected: String?) {
    #expect(moved(key) == expected)
  }

  @Test("a made id is the same for the same parts, and parts do not run together")
  func makesIDs() {
    func made(_ parts: String...) -> String {
      ItemIdentity.made(of: parts.map { Array($0.utf8)[...] })
    }
    #expect(made("a", "b") == made("a", "b"))
    #expect(made("a", "b") != made("ab"))
    #expect(made("a", "b") != made("b", "a"))
    #expect(made("a").utf8.count == 36)
  }

  @Test("an id that items share has the time behind it")
  func sharesIDs() {
    let time = Timestamp(secondsSinceEpoch: 1_704_153_600)
    #expect(ItemIdentity.shared("x", published: time) == "x@2024-01-02T00:00:00Z")
  }
}
