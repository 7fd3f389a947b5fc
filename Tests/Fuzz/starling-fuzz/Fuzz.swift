#if !FUZZER
  import Glibc

  /// `starling-fuzz SECONDS SEED FILE...`: mutates the files for so long and does with each what
  /// publishers' bytes are for. A crash leaves the input in `starling-fuzz.crash`.
  @main
  enum Fuzz {
    static func main() {
      let arguments = CommandLine.arguments.dropFirst()
      let numbers = arguments.prefix(2).compactMap { UInt64($0) }
      let documents = arguments.dropFirst(2).map(read).filter { !$0.isEmpty }
      guard numbers.count == 2, !documents.isEmpty else {
        print("usage: starling-fuzz SECONDS SEED FILE...")
        exit(2)
      }
      print("seed \(numbers[1]), \(documents.count) documents")
      let rounds = run(documents, seconds: Int(numbers[0]), seed: numbers[1])
      print("\(rounds) inputs, none crashed, none took 2 seconds")
    }

    private static func run(_ documents: [[UInt8]], seconds: Int, seed: UInt64) -> Int {
      var mutator = Mutator(seed: seed)
      let clock = ContinuousClock()
      let end = clock.now + .seconds(seconds)
      var rounds = 0
      while clock.now < end {
        let document = documents[mutator.next(below: documents.count)]
        let other = documents[mutator.next(below: documents.count)]
        let input = mutator.mutated(document, other: other)
        let choice = UInt8(truncatingIfNeeded: mutator.next(below: 256))
        write(input + [choice])
        // A hang ends by SIGALRM, which leaves the input as a crash does.
        alarm(20)
        // Processor time: what else the machine does is no fault of the input.
        let before = Glibc.clock()
        unsafe input.withUnsafeBytes { unsafe FuzzTarget.run($0, choice: choice) }
        let seconds = Double(Glibc.clock() - before) / 1_000_000
        alarm(0)
        guard seconds < 2 else {
          print("an input took \(seconds) seconds; it is in \(path)")
          exit(1)
        }
        rounds += 1
      }
      unsafe unlink(path)
      return rounds
    }

    private static let path = "starling-fuzz.crash"

    private static func write(_ bytes: [UInt8]) {
      guard let file = unsafe fopen(path, "wb") else { return }
      unsafe fwrite(bytes, 1, bytes.count, file)
      unsafe fclose(file)
    }

    private static func read(_ path: String) -> [UInt8] {
      guard let file = unsafe fopen(path, "rb") else { return [] }
      defer { unsafe fclose(file) }
      var bytes: [UInt8] = []
      var piece = [UInt8](repeating: 0, count: 1 << 16)
      while case let count = unsafe fread(&piece, 1, piece.count, file), count > 0 {
        bytes += piece[..<count]
      }
      return bytes
    }
  }
#endif
