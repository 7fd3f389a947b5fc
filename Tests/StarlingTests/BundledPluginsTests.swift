import StarlingFavorites
import StarlingFeeds
import StarlingModel
import Testing

@testable import Starling

#if canImport(Glibc)
  import Glibc
#endif

/// The plugins that ship, over their own fixtures. `UPDATE_GOLDEN=1 swift test` rewrites what is
/// expected.
@Suite struct BundledPluginsTests {
  static let folder = packageFolder + "/plugins"
  static let names = ["car-series", "forum", "news"]

  let set = PluginSet(PluginFile.find(in: [folder]), services: testServices)

  @Test("all bundled plugins load, and their kinds are one model")
  func loads() {
    #expect(set.plugins.map(\.name) == Self.names)
    #expect(set.plugins.compactMap { $0.refusal?.description } == [])
    #expect(
      Swift.Set(set.model.kinds.map(\.name))
        == ["car_series", "car_type", "forum", "news", "post"])
  }

  @Test(
    "each fixture gives what it must, and no other plugin takes it", arguments: Self.names)
  func passesFixtures(_ name: String) throws {
    let host = Host(Host.Configuration(database: .memory, pluginFolders: [Self.folder]))
    let isUpdate = getenv("UPDATE_GOLDEN") != nil
    let report = try #require(try host.testPlugins([name], update: isUpdate).first)
    #expect(report.results.count >= 5)
    #expect(report.faults == [])
    for result in report.results {
      #expect(result.faults == [], "\(result.path)")
      #expect(result.failures.map(\.error.description) == [], "\(result.path)")
      #expect(result.differences == [], "\(result.path)")
      #expect(result.leftOut == [], "\(result.path)")
      #expect(result.otherTakers == [], "\(result.path)")
    }
  }

  @Test("one forum of one site is one entity, whatever its id is called and whether it is a number")
  func keepsForumsOne() throws {
    let shapes = [
      #"{"forums":[{"forumId":5,"title":"EV"}]}"#, #"{"forums":[{"forum_id":"5","name":"EV"}]}"#,
      #"[{"id":5,"title":"EV"}]"#, #"[{"id":"5","title":"EV"}]"#,
      #"{"data":[{"fid":"5","name":"EV"}]}"#,
      #"{"category_list":{"categories":[{"id":5,"name":"EV","slug":"ev"}]}}"#,
      #"{"categories":[{"cid":5,"name":"EV","slug":"5/ev"}]}"#,
    ]
    for shape in shapes {
      let mapped = try map(
        Array(shape.utf8), set: set, named: "forum", url: "https://a.example/api/forums")
      #expect(mapped.entities.map { "\($0.kind) \($0.key)" } == ["forum a.example/5"], "\(shape)")
    }
    let other = try map(
      Array(shapes[0].utf8), set: set, named: "forum", url: "https://b.example/api/forums")
    #expect(other.entities.map(\.key) == ["b.example/5"])
  }

  @Test("a list of bare ids is refused with what to load in its place")
  func refusesBareIds() throws {
    let error = #expect(throws: HostError.self) { try map(Array("[8863, 8864]".utf8), set: set) }
    #expect(error?.description.contains("v0/item/8863.json") == true)
  }
}
