import StarlingLua
import Testing

@testable import Starling

@Suite struct MoneyFunctionsTests {
  @Test("a range in 万 has both ends as whole numbers")
  func range() throws {
    let money = try BindingHarness().value("money.parse('16.59-25.13万')")
    #expect(money["low"] == .integer(165_900))
    #expect(money["high"] == .integer(251_300))
    #expect(money["currency"] == .string("CNY"))
    #expect(money["text"] == .string("16.59-25.13万"))
  }

  @Test("a text without an amount is a price without ends")
  func noAmount() throws {
    let money = try BindingHarness().value("money.parse('暂无报价')")
    #expect(money == .table([.string("text"): .string("暂无报价")]))
  }

  @Test(
    "what says nothing is nil",
    arguments: ["nil", "0", "0.0", "''", "'0'", "-5", "0/0", "math.huge", "math.mininteger"])
  func unknown(argument: String) throws {
    #expect(try BindingHarness().value("money.parse(\(argument))") == .nil)
  }

  @Test("a number is one price in the currency that is given")
  func number() throws {
    let money = try BindingHarness().value("money.parse(25000.5, 'USD')")
    #expect(money["low"] == .number(25000.5))
    #expect(money["currency"] == .string("USD"))
  }

  @Test("a table is a bad argument")
  func misuse() throws {
    #expect(
      try BindingHarness().failure("money.parse({})")
        == "test.lua:1: bad argument #1 to 'parse' (number or string expected, got table)")
  }
}
