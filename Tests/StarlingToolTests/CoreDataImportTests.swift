import Starling
import StarlingSQLite
import Testing

/// An app takes over what it kept with Core Data, through its host.
@Suite struct CoreDataImportTests {
  private struct CarType: FavoriteEntity {
    static let kind = "car_type"
    static let key = Kind.KeyRule.fields(["uid"])
    var uid: String
    var name: String
  }

  private let place = Workplace()
  private let host: Host
  private var old: String { place.folder + "/Store.sqlite" }

  init() throws {
    var configuration = Host.Configuration(database: .memory)
    try configuration.declare([CarType.self])
    host = Host(configuration)
    try Connection(path: old, mode: .create, busyTimeoutMilliseconds: 100).execute(
      """
      CREATE TABLE Z_PRIMARYKEY (Z_ENT INTEGER PRIMARY KEY, Z_NAME VARCHAR, Z_SUPER INTEGER);
      INSERT INTO Z_PRIMARYKEY VALUES (5, 'Type', 0);
      CREATE TABLE ZTYPE (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, ZUID VARCHAR, ZNAME VARCHAR);
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 2000)
      INSERT INTO ZTYPE SELECT i, 5, 'u' || i, CASE i WHEN 9 THEN x'00' ELSE 'Std' END FROM n;
      """)
  }

  @Test("it tells how far it is, and what it could not take over")
  func progress() throws {
    var phases: [ImportProgress.Phase: Int] = [:]
    let report = try host.importFavorites(from: old) { step in
      #expect(step.done <= step.total && step.total == 2000)
      phases[step.phase] = step.done
    }
    #expect(phases == [.reading: 1792, .starring: 2000])
    #expect(report.read == 2000 && report.starred == 2000)
    #expect(!report.isComplete && report.problems.map(\.line) == [9])
    #expect(report.problems[0].what == "Type.ZNAME: 1 byte of data are no text")
    #expect(try host.store().count(CarType.self) == 2000)
  }

  @Test(
    "it ends when it is told to, in each phase, and nothing of it stays", arguments: [1, 7, 10])
  func canceled(step: Int) throws {
    var steps = 0
    #expect {
      try host.importFavorites(
        from: old, progress: { _ in steps += 1 }, isCanceled: { steps >= step })
    } throws: { error in
      (error as? HostError)?.kind == .canceled
    }
    #expect(try host.store().count(CarType.self) == 0)
  }

  @Test("a canceled task imports nothing")
  func task() async throws {
    let path = old
    let task = Task { () -> HostError.Kind? in
      withUnsafeCurrentTask { $0?.cancel() }
      var configuration = Host.Configuration(database: .memory)
      try configuration.declare([CarType.self])
      do throws(HostError) {
        _ = try Host(configuration).importFavorites(from: path)
        return nil
      } catch {
        return error.kind
      }
    }
    #expect(try await task.value == .canceled)
  }
}
