import StarlingLua
import StarlingModel

/// `money.*`: prices as sites write them.
enum MoneyFunctions {
  static let all: [ApiFunction] = [
    ApiFunction(
      "money.parse", in: .everywhere,
      [
        .optional("price", .union([.number, .string]), "`16.59-25.13万`, `¥199,900`, 25000, ..."),
        .optional("currency", .string, "ISO 4217, for a price that names none: `CNY`"),
      ],
      returns: [
        ApiResult(type: .shape("starling.Money"), isOptional: true, help: "nil when unknown")
      ],
      help: "Reads a price; nil for what says nothing (nil, 0, blank)."
    ) { _, call, results throws(LuaError) in
      guard let money = try money(call) else { return results.pushNil() }
      try results.push(money, MoneyKeys.of(call.state))
    }
  ]

  /// Bytes; what is longer is no price.
  private static let longest = 64 << 10

  private static func money(_ call: borrowing LuaCall) throws(LuaError) -> Money? {
    let value = call[1]
    let currency = try call.text(2)
    switch value.type {
    case .integer: return value.integer.flatMap { Money($0, currency: currency) }
    case .number: return value.number.flatMap { Money($0, currency: currency) }
    default:
      return try call.text(1, atMost: longest).flatMap { Money(parsing: $0, currency: currency) }
    }
  }
}

/// The names of the fields of a price in Lua, interned in one state.
struct MoneyKeys {
  let low: LuaKey
  let high: LuaKey
  let currency: LuaKey
  let text: LuaKey

  init(_ state: LuaState) {
    low = state.key("low")
    high = state.key("high")
    currency = state.key("currency")
    text = state.key("text")
  }

  static func of(_ state: LuaState) -> MoneyKeys { MoneyKeys(state) }
}

extension LuaWriter {
  /// Pushes a price as a table: low, high, currency, text; what it does not say is left out.
  mutating func push(_ money: Money, _ keys: MoneyKeys) throws(LuaError) {
    try table(fields: 4) { table throws(LuaError) in
      if let low = money.low { table.set(keys.low, natural: low) }
      if let high = money.high { table.set(keys.high, natural: high) }
      if let currency = money.currency { table.set(keys.currency, currency) }
      table.set(keys.text, money.text)
    }
  }
}
