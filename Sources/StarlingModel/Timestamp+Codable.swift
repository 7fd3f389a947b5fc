extension Timestamp: Codable {
  /// Reads a date as `description` writes it (RFC 3339), or seconds since 1970.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if let seconds = try? container.decode(Int64.self) {
      self.init(secondsSinceEpoch: seconds)
      return
    }
    let text = try container.decode(String.self)
    guard let time = Timestamp(parsing: text) else {
      throw DecodingError.dataCorruptedError(
        in: container, debugDescription: "\"\(text)\" is no date")
    }
    self = time
  }

  /// Writes RFC 3339 in UTC; outside of the years 0 to 9999 seconds since 1970.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    if description.utf8.last == UInt8(ascii: "Z") {
      try container.encode(description)
    } else {
      try container.encode(secondsSinceEpoch)
    }
  }
}
