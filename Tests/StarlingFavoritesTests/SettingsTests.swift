import StarlingModel
import Testing

@testable import StarlingFavorites

@Suite struct SettingsTests {
  @Test("a setting is kept, replaced and taken away")
  func settings() throws {
    let store = try FavoritesStore(.memory)
    #expect(try store.setting("rules") == nil)
    try store.setSetting("rules", "one")
    try store.setSetting("rules", "two")
    try store.setSetting("other", "three")
    #expect(try store.setting("rules") == "two")
    try store.setSetting("rules", nil)
    #expect(try store.setting("rules") == nil)
    #expect(try store.setting("other") == "three")
  }

  @Test("a setting of a transaction that is rolled back is not kept")
  func rollback() throws {
    let store = try FavoritesStore(.memory)
    try store.begin()
    try store.setSetting("rules", "one")
    store.rollback()
    #expect(try store.setting("rules") == nil)
  }
}
