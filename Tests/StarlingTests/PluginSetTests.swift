import Testing

@testable import Starling

/// Which of several plugins is refused.
@Suite struct PluginSetTests {
  private func plugin(_ kind: String, key: String) -> String {
    """
    --- @api 1
    local M = {}
    M.kinds = { \(kind) = { key = "\(key)", fields = { \(key) = "text" } } }
    function M.map(item) return { \(key) = item.id } end
    return M
    """
  }

  @Test("a plugin of the user's own does not displace one that comes with the program")
  func newcomer() throws {
    let (own, bundled) = (TemporaryFolder(), TemporaryFolder())
    own.write("aaa.lua", plugin("news", key: "id"))
    bundled.write("news.lua", plugin("news", key: "link"))
    let host = Host(
      Host.Configuration(database: .memory, pluginFolders: [own.path, bundled.path]))
    #expect(host.plugins.map(\.name) == ["aaa", "news"], "the user's own is asked first")
    #expect(host.plugins.map { $0.refusal == nil } == [false, true])
    #expect(host.plugins[0].refusal?.message.contains("declared by news") == true)
    // One of the same name takes the place of the other, kinds and all.
    own.write("news.lua", plugin("news", key: "id"))
    let other = Host(
      Host.Configuration(database: .memory, pluginFolders: [own.path, bundled.path]))
    #expect(other.plugins.map { $0.refusal == nil } == [true, true])
  }

  @Test("a kind that the database has no room for is refused with its plugin's name, and alone")
  func reserved() throws {
    let folder = TemporaryFolder()
    for (name, kind) in [("a", "favorites"), ("b", "favorite_good"), ("c", "good")] {
      folder.write("\(name).lua", plugin(kind, key: "id"))
    }
    let host = Host(Host.Configuration(database: .memory, pluginFolders: [folder.path]))
    #expect(host.plugins.map { $0.refusal == nil } == [false, false, true])
    #expect(host.plugins[0].refusal?.description.contains("plugin a: kind favorites") == true)
    let report = try host.load(
      FeedInput(.bytes(Array(#"[{"id":1}]"#.utf8), name: "x")), plugin: "c")
    #expect(report.failureCount == 0 && report.items == 1)
  }
}
