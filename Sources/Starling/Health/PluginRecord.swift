import StarlingFeeds
import StarlingModel

/// What is kept of one plugin from process to process, as long as its text stays the same.
struct PluginRecord: Equatable, Sendable {
  struct Quarantine: Equatable, Sendable {
    /// Seconds since 1970.
    var since: Int64
    /// The last stop.
    var reason: String
  }

  /// Stops in a row, with no feed mapped to its end in between, that put a plugin in quarantine.
  static let strikesAllowed = 3

  /// Of the text that all this is about.
  var fingerprint: String
  var strikes = 0
  var quarantine: Quarantine?
  /// The kinds that it declares or shares; a plugin in quarantine is not run, so as to ask it.
  var kinds: [String] = []
  var calls = 0
  var stops = 0
  var times = TimeHistogram()
  /// Bytes.
  var peakMemory = 0
  var lastError: String?
  var lastErrorAt: Int64?

  init(fingerprint: String) {
    self.fingerprint = fingerprint
  }

  mutating func add(_ meter: PluginMeter, at now: Int64) {
    calls = PluginRecord.sum(calls, meter.calls)
    stops = PluginRecord.sum(stops, meter.stops.count)
    times.add(meter.times)
    peakMemory = max(peakMemory, meter.peakMemory)
    if let error = meter.lastError {
      lastError = error.description
      lastErrorAt = now
    }
    if meter.stops.isEmpty {
      if meter.hasMapped { strikes = 0 }
      return
    }
    strikes = meter.hasMapped ? 0 : PluginRecord.sum(strikes, meter.stops.count)
    if strikes >= PluginRecord.strikesAllowed, let last = meter.stops.last {
      quarantine = Quarantine(since: now, reason: last.description)
    }
  }

  private static func sum(_ left: Int, _ right: Int) -> Int {
    min(left, 1 << 50) + min(right, 1 << 50)
  }
}

// MARK: - As text

extension PluginRecord {
  /// One JSON object.
  var text: String {
    var json = JSONWriter()
    json.beginObject()
    json.member("fingerprint", fingerprint)
    let numbers: [(String, Int64?)] = [
      ("strikes", Int64(strikes)), ("calls", Int64(calls)), ("stops", Int64(stops)),
      ("worst", Int64(clamping: times.worst)), ("memory", Int64(peakMemory)),
      ("error_at", lastErrorAt), ("since", quarantine?.since),
    ]
    for (name, number) in numbers {
      guard let number else { continue }
      json.name(name)
      json.integer(number)
    }
    if let lastError { json.member("error", lastError) }
    if let quarantine { json.member("reason", quarantine.reason) }
    json.name("kinds")
    json.list(kinds)
    json.name("times")
    json.beginArray()
    for (step, count) in times.counts.sorted(by: { $0.key < $1.key }) {
      json.integer(Int64(step))
      json.integer(Int64(count))
    }
    json.endArray()
    json.endObject()
    return String(decoding: json.bytes, as: UTF8.self)
  }

  /// - Returns: nil for a text that is no record.
  init?(parsing text: String) {
    guard let document = try? JSONDocument.parsing(Array(text.utf8)),
      let fingerprint = document.member(document.root, "fingerprint")
    else { return nil }
    self.init(fingerprint: document.string(fingerprint))
    var since: Int64?
    var reason = ""
    document.forEachMember(of: document.root) { name, value in
      let number = document.integer(value)
      let count = Int(clamping: max(0, number))
      switch name {
      case "strikes": strikes = count
      case "calls": calls = count
      case "stops": stops = count
      case "memory": peakMemory = count
      case "worst": times.raiseWorst(to: UInt64(max(0, number)))
      case "error": lastError = document.string(value)
      case "error_at": lastErrorAt = number
      case "since": since = number
      case "reason": reason = document.string(value)
      case "kinds": document.forEachElement(of: value) { kinds.append(document.string($0)) }
      case "times": readTimes(value, document)
      default: break
      }
    }
    quarantine = since.map { Quarantine(since: $0, reason: reason) }
  }

  private mutating func readTimes(_ list: JSONDocument.Node, _ document: JSONDocument) {
    var step: Int?
    document.forEachElement(of: list) { element in
      let number = Int(clamping: document.integer(element))
      if let before = step {
        times.add(before, count: number)
        step = nil
      } else {
        step = number
      }
    }
  }
}
