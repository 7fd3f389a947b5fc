import StarlingModel
import StarlingTool
import Testing

@Suite struct CardTests {
  private let kind = Kind(
    name: "car_type", key: .fields(["uid"]),
    fields: [Field("uid", .text), Field("name", .text), Field("price", .money)])
  private let entity = Entity(
    kind: "car_type", key: "a/1",
    values: [
      "uid": "1", "name": "Model\u{1B} with a long name",
      "price": .money(Money(low: 1, high: 2, currency: nil, text: "16.59-25.13万")),
    ])

  @Test("a card has a field a line and wraps beside the names")
  func entityCard() {
    let io = ToolIO.memory(width: 32, isTerminal: true)
    Card.write(entity, kind: kind, io: io)
    io.out.flush()
    #expect(
      io.out.text == """
        car_type a/1
          uid    1
          name   Model\\u{1B} with a long
                 name
          price  16.59-25.13万

        """)
  }

  @Test("a favorite's card tells when, tags, note and each cause")
  func favoriteCard() {
    let io = ToolIO.memory()
    let time = Timestamp(secondsSinceEpoch: 0)
    let cause = Cause(
      origin: .rule(name: "EV", version: "0a1b2c3d"),
      evidence: [Evidence(field: "price", value: "16.59-25.13万", condition: "below \"20万\"")],
      at: time)
    let favorite = Favorite(
      entity: entity, starredAt: time, tags: ["x", "y"], note: "n",
      causes: [
        Cause(origin: .hand, at: time), cause, Cause(origin: .script(name: "s.lua"), at: time),
        Cause(origin: .import(file: "f", line: 2), at: time),
      ])
    Card.write(entity, favorite: favorite, kind: kind, io: io)
    io.out.flush()
    #expect(
      io.out.text.hasSuffix(
        """
          starred_at  1970-01-01T00:00:00Z
          tags        x, y
          note        n
          cause       by hand, 1970-01-01T00:00:00Z
          cause       by rule "EV" (0a1b2c3d), 1970-01-01T00:00:00Z: price = 16.59-25.13万 (below "20万")
          cause       by script s.lua, 1970-01-01T00:00:00Z
          cause       by import of f, line 2, 1970-01-01T00:00:00Z

        """))
  }
}
