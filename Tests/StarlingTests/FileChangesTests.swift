import Testing

@testable import Starling

@Suite struct FileChangesTests {
  private let folder = TemporaryFolder()

  @Test("a change is told once: other bytes of the same length, a file that comes, one that goes")
  func tells() {
    let paths = [folder.write("a", "one"), folder.path + "/b"]
    var changes = FileChanges()
    func look(_ paths: [String]) -> Bool { changes.look(at: paths) }
    #expect(look(paths), "the first look")
    #expect(!look(paths))
    folder.write("a", "two")
    #expect(look(paths))
    #expect(!look(paths))
    folder.write("b", "")
    #expect(look(paths))
    TemporaryFolder.remove(folder.path + "/a")
    #expect(look(paths))
    #expect(!look(paths))
    #expect(look([folder.path + "/a"]), "other files")
  }

  @Test("a save that changes no byte is no change, and what is no file is none")
  func sameBytes() {
    let paths = [folder.write("a", "one"), folder.path]
    var changes = FileChanges()
    func look(_ paths: [String]) -> Bool { changes.look(at: paths) }
    #expect(look(paths))
    folder.write("a", "one")
    #expect(!look(paths))
  }
}
