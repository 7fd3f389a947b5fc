import Glibc
import StarlingFavorites
import StarlingSQLite

/// Kills a child at random moments and looks, each time, at what it left.
///
/// Beside the child's database the same steps are done in a process that nobody kills. What the
/// child left must be, row by row, what that one has after the last step that the child reported, or
/// after the one that it was at: all of a step or nothing of it.
final class Driver {
  struct Failure: Error {
    var what: String
  }

  private let folder: String
  private let seed: UInt64
  private var random: Seeded
  private var path: String { folder + "/killed.db" }
  private var calm: Work
  /// The steps that were done, as the calm one has them.
  private var done = 0
  var steps: Int { done }
  private(set) var kills = 0
  private(set) var backups = 0

  init(folder: String, seed: UInt64) throws {
    self.folder = folder
    self.seed = seed
    random = Seeded(seed)
    calm = try Work(path: folder + "/calm.db", seed: seed, from: 0)
  }

  /// One child that works on from where the last one was killed.
  func killAtWork() throws {
    guard let child = Child(["work", path, "\(seed)", "\(done)"]) else {
      throw Failure(what: "no process")
    }
    // Now and then while it opens the file, else while it works.
    if Int.random(in: 0..<5, using: &random) > 0, !child.waitForStart() {
      throw Failure(what: "the process ended by itself: \(child.kill())")
    }
    pause(upTo: 100_000)
    let said = child.kill()
    kills += 1
    if let error = said.first(where: { $0.hasPrefix("error") }) {
      throw Failure(what: "step \(done): \(error)")
    }
    let reported = said.compactMap { Int($0) }.last.map { $0 + 1 } ?? done
    try follow(to: reported)
    guard access(path, F_OK) == 0 else { return }
    try expectWhole(path)
    let left = try Dump(path: path)
    let before = try Dump(path: folder + "/calm.db")
    if left == before {
      // A backup that it was making is there as a whole or not at all.
      let copy = Work.backup(path, done)
      if access(copy, F_OK) == 0 { try expectWhole(copy) }
      return
    }
    // Killed while it made the file: no step was begun.
    if done == 0, try FavoritesStore(.file(path)).kinds.isEmpty { return }
    // Killed between the commit and the report.
    try follow(to: reported + 1)
    let after = try Dump(path: folder + "/calm.db")
    guard left == after else {
      throw Failure(
        what: "after step \(reported - 1), against it: \(left.difference(from: before)); "
          + "against the next: \(left.difference(from: after))")
    }
  }

  /// Does the steps before `step` in peace, and compares the backups that were reported.
  private func follow(to step: Int) throws {
    while done < step {
      let isBackup = try calm.perform(done)
      if isBackup {
        let (made, expected) = (Work.backup(path, done), Work.backup(folder + "/calm.db", done))
        guard access(made, F_OK) == 0 else {
          throw Failure(what: "the backup of step \(done) is not there")
        }
        try expectWhole(made)
        let copy = try Dump(path: made)
        guard copy == (try Dump(path: expected)) else {
          throw Failure(what: "the backup of step \(done) is not what was there")
        }
        backups += 1
        for path in [made, expected] { unlink(path) }
      }
      done += 1
    }
  }

  /// A child that opens a file of an older schema.
  func killAtOpening(schema: String) throws {
    let (path, calm) = (folder + "/old.db", folder + "/old-calm.db")
    for copy in [path, calm] { try Driver.copy(schema, to: copy) }
    defer { for file in [path, calm] { Driver.remove(file) } }
    _ = try FavoritesStore(.file(calm))
    guard let child = Child(["open", path]), child.waitForStart() else {
      throw Failure(what: "no process")
    }
    pause(upTo: 20_000)
    _ = child.kill()
    kills += 1
    try expectWhole(path)
    let (left, expected) = (try Dump(path: path), try Dump(path: calm))
    guard left == expected else {
      throw Failure(what: "\(schema): \(left.difference(from: expected))")
    }
  }

  private func expectWhole(_ path: String) throws {
    let problems = try FavoritesStore(.file(path)).check()
    if let problem = problems.first { throw Failure(what: "\(path): \(problem.what)") }
  }

  private func pause(upTo microseconds: UInt32) {
    usleep(UInt32.random(in: 0..<microseconds, using: &random))
  }

  static func copy(_ path: String, to target: String) throws {
    guard let from = fopen(path, "r"), let to = fopen(target, "w") else {
      throw Failure(what: "\(path) cannot be copied")
    }
    var bytes = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = fread(&bytes, 1, bytes.count, from)
      guard count > 0 else { break }
      fwrite(bytes, 1, count, to)
    }
    fclose(from)
    fclose(to)
  }

  static func remove(_ path: String) {
    for suffix in ["", "-wal", "-shm", "-journal"] { unlink(path + suffix) }
  }
}

extension Driver {
  func summary(seed: UInt64) -> String {
    "seed \(seed): \(kills) kills over \(steps) steps and \(backups) backups; whole each time"
  }

  static func removeFolder(_ folder: String) {
    if let stream = opendir(folder) {
      while let entry = readdir(stream) {
        let name = withUnsafeBytes(of: &entry.pointee.d_name) {
          String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
        }
        unlink("\(folder)/\(name)")
      }
      closedir(stream)
    }
    rmdir(folder)
  }
}
