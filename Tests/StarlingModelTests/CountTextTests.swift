import StarlingModel
import Testing

@Suite struct CountTextTests {
  @Test("one is one, and all else are many")
  func counts() {
    #expect([0, 1, 2].map { CountText.of($0, "rule") } == ["0 rules", "1 rule", "2 rules"])
    #expect(CountText.of(1, "entity", "entities") == "1 entity")
    #expect(CountText.of(0, "entity", "entities") == "0 entities")
  }
}
