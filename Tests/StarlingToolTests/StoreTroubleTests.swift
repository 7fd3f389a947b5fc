import Glibc
import Testing

@testable import StarlingTool

/// What the machine can do to a database, and what the tool then says: one line with what to do
/// next, and nothing lost.
@Suite(.enabled(if: Child.program != nil, "the program is not built"))
struct StoreTroubleTests {
  let place = Workplace()

  init() {
    place.write("plugins/things.lua", Workplace.plugin())
    place.write("ok.xml", Workplace.feed(items: 3))
    place.write("big.xml", Workplace.feed(items: 4_000))
  }

  /// Runs commands in a shell, `starling` with the place's plugins. Nil when the shell could not
  /// even begin: no namespaces on this machine.
  private func shell(_ commands: String, inNamespace: Bool = false) -> String? {
    let text = """
      set -u
      cd '\(place.folder)' || exit 99
      export HOME=$PWD XDG_DATA_HOME=$PWD XDG_CONFIG_HOME=$PWD/config
      starling() { '\(Child.program ?? "")' --plugins '\(place.folder)/plugins' "$@"; }
      \(commands)
      """
    place.write("script.sh", text)
    let program = inNamespace ? "unshare -rm bash" : "bash"
    guard let output = popen("\(program) '\(place.path("script.sh"))' 2>&1", "r") else {
      return nil
    }
    var said: [UInt8] = []
    while case let byte = fgetc(output), byte != EOF {
      said.append(UInt8(truncatingIfNeeded: byte))
    }
    return pclose(output) >> 8 == 99 ? nil : place.relative(String(decoding: said, as: UTF8.self))
  }

  @Test("on a full disk a load says so and stores nothing, and goes on when there is room")
  func fullDisk() throws {
    place.makeFolder("disk")
    let said = shell(
      """
      mount -t tmpfs -o size=500k none disk || exit 99
      export STARLING_DB=disk/x.db
      starling load ok.xml >/dev/null; echo $?
      starling load big.xml; echo $?
      starling list thing --all --json | wc -l
      starling doctor >/dev/null; echo $?
      cat /dev/zero >disk/filler 2>/dev/null
      starling star thing https://e.org/1; echo $?
      starling backup disk/copy.db; echo $?
      ls disk | grep -c copy
      rm disk/filler
      starling star thing https://e.org/1 >/dev/null; echo $?
      mount -o remount,size=64m disk
      starling load big.xml >/dev/null; echo $?
      starling list thing --all --json | wc -l
      starling doctor; echo $?
      """, inNamespace: true)
    guard let said else { return }
    func full(_ name: String) -> String {
      "starling: disk/\(name): the disk is full; nothing of this change was kept: "
        + "make room and try again"
    }
    let fullAtOpening =
      "starling: disk/x.db: the disk was full when the database was opened; nothing of this change "
      + "was kept: make room and open it again"
    #expect(
      said.split(separator: "\n").map(String.init) == [
        "0", full("x.db"), "3", "3", "0", fullAtOpening, "3", full("copy.db"), "3", "0", "0", "0",
        "4000",
        "disk/x.db: in order", "0",
      ])
  }

  @Test("what is on a full disk, or on one that is read-only, can be read")
  func reading() throws {
    place.makeFolder("disk")
    let said = shell(
      """
      mount -t tmpfs -o size=1m none disk || exit 99
      export STARLING_DB='disk/a?b#c%41 é.db'
      starling load ok.xml >/dev/null; echo $?
      starling star thing https://e.org/1 >/dev/null; echo $?
      ls disk | wc -l
      look() {
        starling list thing --all --json | wc -l
        starling contains thing https://e.org/1 >/dev/null; echo $?
        starling search Item --json | wc -l
        starling show thing https://e.org/1 --json | wc -l
        starling export | wc -l
        starling run -e 'print(#favorites.members("thing"), favorites.count("thing"))'
        starling doctor; echo $?
        starling star thing https://e.org/2; echo $?
        starling load ok.xml 2>&1 >/dev/null | head -1
        starling backup "$1"; echo $?
        starling --db "$1" contains thing https://e.org/1 >/dev/null; echo $?
      }
      cat /dev/zero >disk/filler 2>/dev/null
      look one.db
      rm disk/filler
      starling unstar thing https://e.org/1 >/dev/null; echo $?
      starling star thing https://e.org/1 >/dev/null; echo $?
      mount -o remount,ro disk
      look two.db
      """, inNamespace: true)
    guard let said else { return }
    let path = "disk/a?b#c%41 é.db"
    func look(_ why: String, _ copy: String) -> [String] {
      [
        "3", "0", "1", "1", "1", "1\t1", "\(path): in order", "0", "starling: \(path): \(why)", "3",
        "starling: \(path): \(why)", "copied to \(copy)", "0", "0",
      ]
    }
    #expect(
      said.split(separator: "\n").map(String.init) == ["0", "0", "1"]
        + look(
          "the disk was full when the database was opened; nothing of this change was kept: make "
            + "room and open it again", "one.db")
        + ["0", "0"]
        + look(
          "the database cannot be written: the file or its folder is read-only;"
            + " make it writable, or give another with --db", "two.db"))
  }

  @Test(
    "doctor mends in one run, however much is damaged, and says no more than a screen takes",
    arguments: [3, 40, 100])
  func oneRun(_ pages: Int) throws {
    #expect(place.run("load", "@big.xml").status == 0)
    #expect(place.run("star", "thing", "https://e.org/1").status == 0)
    place.patch("x.db", at: 60 * 4096, [UInt8](repeating: 0xAA, count: pages * 4096))
    let found = place.run("doctor")
    #expect(found.status == 1)
    #expect(found.err.split(separator: "\n").count <= 10, "\(found.err)")
    #expect(found.err.contains(" more problems of the file") == (pages > 3), "\(found.err)")
    let mended = place.run("doctor", "--mend")
    #expect(mended.status == 0, "\(mended.err)")
    #expect(mended.err.split(separator: "\n").count <= 40, "\(mended.err)")
    #expect(place.run("doctor").out == "@x.db: in order\n")
  }

  @Test("an empty or cut database is not taken for a new one")
  func cut() throws {
    #expect(place.run("load", "@ok.xml").status == 0)
    #expect(place.run("backup", "@b.db").status == 0)
    place.write("x.db", "S")
    let refused = place.run("star", "thing", "https://e.org/1")
    #expect(refused.status == 3)
    #expect(refused.err.contains("cut off: it has 1 byte; restore a backup"), "\(refused.err)")
    #expect(place.run("doctor", "--mend").status == 3)
    #expect(place.run("restore", "@b.db").status == 0)
    #expect(place.run("list", "thing", "--all", "--json").lines.count == 3)
    place.write("x.db", "")
    let empty = place.run("doctor")
    #expect(empty.status == 3)
    #expect(empty.err.contains("the file is empty, but was a database, as @x.db.replaced-"))
    #expect(place.run("--db", "@new.db", "doctor").status == 0)
    place.write("void.db", "")
    let void = place.run("--db", "@void.db", "doctor")
    #expect(void.status == 1)
    #expect(void.err.contains("the file is empty: if it was a database"), "\(void.err)")
    #expect(place.run("--db", "@void.db", "doctor", "--mend").status == 0)
    #expect(place.run("--db", "@void.db", "doctor").status == 0)
  }

  @Test("a database that cannot be migrated on a full disk stays as it was, and is migrated later")
  func fullDiskMigrating() throws {
    place.makeFolder("disk")
    let old =
      #filePath.split(separator: "/").dropLast(2).reduce("") { $0 + "/" + $1 }
      + "/StarlingFavoritesTests/Fixtures/schemas/1.db"
    let said = shell(
      """
      mount -t tmpfs -o size=224k none disk || exit 99
      export STARLING_DB=disk/x.db
      cp '\(old)' disk/x.db; chmod 600 disk/x.db
      starling toggle thing https://e.org/1; echo $?
      # The lowest byte of the schema's version.
      od -An -tu1 -j63 -N1 disk/x.db | tr -d ' '
      mount -o remount,size=64m disk
      starling load ok.xml >/dev/null; echo $?
      starling toggle thing https://e.org/1 >/dev/null; echo $?
      starling contains thing https://e.org/1; echo $?
      cat /dev/zero >disk/filler 2>/dev/null
      starling toggle thing https://e.org/1; echo $?
      rm disk/filler
      starling contains thing https://e.org/1; echo $?
      starling doctor; echo $?
      """, inNamespace: true)
    guard let said else { return }
    let full =
      "starling: disk/x.db: the disk is full; nothing of this change was kept: make room and try again"
    let opened =
      "starling: disk/x.db: the disk was full when the database was opened; nothing of this change "
      + "was kept: make room and open it again"
    #expect(
      said.split(separator: "\n").map(String.init) == [
        full, "3", "1", "0", "0", "yes", "0", opened, "3", "yes", "0", "disk/x.db: in order", "0",
      ])
  }

  @Test("a read-only file system gives a clear line, and reading leaves the file as it is")
  func readOnlyFileSystem() throws {
    place.makeFolder("disk")
    let said = shell(
      """
      mount -t tmpfs -o size=4m none disk || exit 99
      export STARLING_DB=disk/x.db
      starling load ok.xml >/dev/null
      mount -o remount,ro disk
      sum=$(md5sum <disk/x.db)
      starling star thing https://e.org/1; echo $?
      [ "$sum" = "$(md5sum <disk/x.db)" ] && echo same
      """, inNamespace: true)
    guard let said else { return }
    #expect(
      said.split(separator: "\n") == [
        "starling: disk/x.db: the database cannot be written: the file or its folder is read-only; "
          + "make it writable, or give another with --db", "3", "same",
      ])
  }

  @Test("a damaged database is named, mended as far as it can be, and kept")
  func damaged() throws {
    #expect(place.run("load", "@big.xml").status == 0)
    place.patch("x.db", at: 60 * 4096, [UInt8](repeating: 0xAA, count: 3 * 4096))
    let found = place.run("doctor")
    #expect(found.status == 1)
    #expect(found.err.contains("starling doctor --mend salvages what can be read"))
    let mended = place.run("doctor", "--mend")
    #expect(mended.err.contains("the damaged file is @x.db.damaged-"), "\(mended.err)")
    let lines = mended.err.split(separator: "\n").filter { $0.contains(": thing was damaged: ") }
    #expect(lines.count == 1 && lines[0].contains("with nothing but their key"), "\(mended.err)")
    #expect(place.run("doctor").out == "@x.db: in order\n")
    let list = place.run("list", "thing", "--all", "--json")
    #expect(list.lines.count > 3_600, "\(list.err)")
  }

  @Test("a backup that is damaged, foreign, or the database itself is refused, and nothing changed")
  func restoring() throws {
    #expect(place.run("load", "@ok.xml").status == 0)
    #expect(place.run("backup", "@b.db").status == 0)
    #expect(place.run("load", "@big.xml").status == 0)
    place.write("text.db", "no database")
    for name in ["@text.db", "@x.db", "@none.db", "@plugins"] {
      let refused = place.run("restore", name)
      #expect(refused.status == 3, "\(name)")
      #expect(refused.err.split(separator: "\n").count == 1, "\(refused.err)")
    }
    #expect(place.run("list", "thing", "--all", "--json").lines.count == 4_000)
    let restored = place.run("restore", "@b.db")
    #expect(restored.out.contains("what was there is in @x.db.replaced-"), "\(restored)")
    #expect(place.run("list", "thing", "--all", "--json").lines.count == 3)
    place.patch("b.db", at: 3 * 4096, [UInt8](repeating: 0xAA, count: 4096))
    #expect(place.run("restore", "@b.db").status == 3)
    #expect(place.run("list", "thing", "--all", "--json").lines.count == 3)
  }
}
