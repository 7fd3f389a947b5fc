// Kills a process that works on a database, again and again, and looks at what is left each time;
// or has several work on one database at the same time.
//
//   starling-crash [--kills N] [--seed S] [--schemas FOLDER]
//   starling-crash together [--seconds N]
//
// Without a seed it takes one by chance, and prints it; the same seed does the same steps.
import Glibc
import StarlingFavorites
import StarlingSQLite

/// What a child says goes out at once, so that a kill takes nothing back.
func say(_ line: String) {
  let bytes = Array((line + "\n").utf8)
  _ = write(1, bytes, bytes.count)
}

func value(_ option: String) -> String? {
  let words = CommandLine.arguments
  guard let place = words.firstIndex(of: option), place + 1 < words.count else { return nil }
  return words[place + 1]
}

func work(path: String, seed: UInt64, from first: Int) -> Never {
  do throws(FavoritesError) {
    let work = try Work(path: path, seed: seed, from: first)
    say("start")
    var step = first
    while true {
      try work.perform(step)
      say("\(step)")
      step += 1
    }
  } catch {
    say("error \(error)")
    exit(1)
  }
}

func drive() throws -> Int32 {
  let kills = value("--kills").flatMap { Int($0) } ?? 250
  let seed = value("--seed").flatMap { UInt64($0) } ?? UInt64.random(in: 0..<1_000_000)
  var template = Array("/tmp/starling-crash-XXXXXX".utf8CString)
  guard mkdtemp(&template) != nil else { return 1 }
  let folder = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
  var schemas: [String] = []
  if let from = value("--schemas") {
    schemas = (1...99).map { "\(from)/\($0).db" }.filter { access($0, R_OK) == 0 }
  }
  let driver = try Driver(folder: folder, seed: seed)
  do {
    for round in 0..<kills {
      if !schemas.isEmpty, round % 8 == 7 {
        try driver.killAtOpening(schema: schemas[round / 8 % schemas.count])
      } else {
        try driver.killAtWork()
      }
    }
  } catch {
    say("seed \(seed), kill \(driver.kills): \(error); the files are in \(folder)")
    return 1
  }
  say(driver.summary(seed: seed))
  Driver.removeFolder(folder)
  return 0
}

let words = CommandLine.arguments
switch words.dropFirst().first {
case "work" where words.count == 5:
  work(path: words[2], seed: UInt64(words[3]) ?? 0, from: Int(words[4]) ?? 0)
case "open" where words.count == 3:
  say("start")
  _ = try FavoritesStore(.file(words[2]))
  exit(0)
case "role" where words.count == 5:
  do {
    let rounds = try Together.run(words[2], path: words[3], until: Int(words[4]) ?? 0)
    say("done \(rounds)")
    exit(0)
  } catch {
    say("error \(error)")
    exit(1)
  }
case "read" where words.count == 3:
  // Reads in one transaction until its input ends.
  let reader = try Connection(path: words[2], mode: .readOnly, busyTimeoutMilliseconds: 0)
  try reader.beginReading()
  _ = try reader.integer("SELECT count(*) FROM sqlite_schema")
  while getchar() != EOF {}
  exit(0)
case "together":
  exit(try Together.drive(seconds: value("--seconds").flatMap { Int($0) } ?? 5))
default:
  exit(try drive())
}
