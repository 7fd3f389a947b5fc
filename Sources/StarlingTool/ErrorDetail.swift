import Starling
import StarlingModel

/// What is known of an error beyond its line of text: one shape in every command.
package struct ErrorDetail: Hashable, Sendable {
  /// `script`, `time`, `memory`, `host`, `permission`, `plugin`, `feed`, `database`, `canceled`,
  /// `usage`, or `absent`: there is none of what was asked for.
  package var kind: String
  package var message: String
  package var subject: String?
  package var plugin: String?
  package var file: String?
  package var line: Int?
  package var traceback: String?

  init(_ error: HostError) {
    kind = error.kind.rawValue
    message = error.commandMessage
    subject = error.subject
    plugin = error.plugin
    file = error.location?.file
    line = error.location?.line
    traceback = error.traceback
  }

  init(_ fault: RuleFault) {
    kind = fault.kind.rawValue
    // Without its place, which has fields of its own.
    var bare = fault
    bare.location = nil
    message = bare.commandDescription
    file = fault.location?.file
    line = fault.location?.line
    traceback = fault.traceback
  }

  /// Of an error that is no more than its text.
  init(kind: String, _ message: String, subject: String?) {
    self.kind = kind
    self.message = message
    self.subject = subject
  }
}

/// An error as one JSON object: `kind`, `message`, and what there is of `item`, `subject`, `plugin`,
/// `file`, `line`, `traceback`, `count` (how often it came).
enum ErrorJSON {
  static func write(_ error: HostError, item: Int? = nil, to json: inout JSONWriter) {
    write(ErrorDetail(error), item: item, to: &json)
  }

  static func write(
    _ error: ErrorDetail, item: Int? = nil, count: Int? = nil, to json: inout JSONWriter
  ) {
    json.beginObject()
    if let item, item > 0 {
      json.name("item")
      json.integer(Int64(item))
    }
    json.member("kind", error.kind)
    json.member("message", error.message)
    let texts: [(String, String?)] = [
      ("subject", error.subject), ("plugin", error.plugin), ("file", error.file),
    ]
    for (name, text) in texts {
      if let text { json.member(name, text) }
    }
    if let line = error.line {
      json.name("line")
      json.integer(Int64(line))
    }
    if let traceback = error.traceback { json.member("traceback", traceback) }
    if let count {
      json.name("count")
      json.integer(Int64(count))
    }
    json.endObject()
  }
}
