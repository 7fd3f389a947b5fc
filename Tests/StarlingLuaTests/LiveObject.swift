/// Counts how many of its kind live: what a longjmp over a Swift frame would leak.
final class LiveObject {
  final class Counter {
    var live = 0
    var made = 0
  }

  private let counter: Counter

  init(_ counter: Counter) {
    self.counter = counter
    counter.live += 1
    counter.made += 1
  }

  deinit { counter.live -= 1 }
}
