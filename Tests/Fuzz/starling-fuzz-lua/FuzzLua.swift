import Glibc
import LuaFuzz

/// Compares the sandboxed library with stock Lua's on random cases, then calls every function that
/// scripts have with random values. Ends with status 1 at the first thing that is wrong.
///
///     starling-fuzz-lua [CASES [ROUNDS [SEED]]]
@main
struct FuzzLua {
  static func main() {
    let numbers = CommandLine.arguments.dropFirst().map { UInt64($0) ?? 0 }
    let cases = numbers.first ?? 1_000_000
    let rounds = numbers.count > 1 ? numbers[1] : 3_000
    let seed = numbers.count > 2 ? numbers[2] : 1
    let isSame = compare(cases: cases, seed: seed)
    let isWhole = callEverything(rounds: rounds, seed: seed)
    exit(isSame && isWhole ? 0 : 1)
  }

  /// A crash later must not take a line with it.
  private static func say(_ line: String) {
    print(line)
    fflush(nil)
  }

  private static func compare(cases: UInt64, seed: UInt64) -> Bool {
    let batch = 400
    var count: UInt64 = 0
    var different = 0
    while count < cases, different < 20 {
      // A state of its own for each batch, so that a seed alone says what happened.
      guard let differential = Differential() else { return false }
      let at = seed &+ count / UInt64(batch)
      var differences = differential.differences(seed: at, cases: batch)
      // A machine that stood still has taken the time of a case; one that hangs does it again.
      if differences.contains(where: { $0.ours.contains("its time was over") }),
        let again = Differential()
      {
        differences = again.differences(seed: at, cases: batch)
      }
      for difference in differences {
        say("seed \(at):\n\(difference)")
        different += 1
      }
      count += UInt64(batch)
      if count % 100_000 == 0 { say("\(count) cases as stock Lua") }
    }
    say("\(count) cases, \(different) with another result than stock Lua's")
    return different == 0
  }

  private static func callEverything(rounds: UInt64, seed: UInt64) -> Bool {
    let fuzzer = BoundaryFuzzer()
    for round in 0..<rounds {
      // Said before: a crash says nothing.
      if round % 250 == 0 { say("round \(round), from seed \(seed &+ round)") }
      do {
        try fuzzer.round(seed: seed &+ round)
      } catch {
        say("\(error)")
        return false
      }
    }
    say("\(rounds) rounds of 60 calls")
    return true
  }
}
