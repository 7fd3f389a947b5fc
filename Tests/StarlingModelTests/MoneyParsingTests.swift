import StarlingModel
import Testing

@Suite struct MoneyParsingTests {
  @Test(
    "a price reads as low, high and currency",
    arguments: [
      ("16.59-25.13万", 165_900, 251_300, "CNY"),
      ("16.59万-25.13万", 165_900, 251_300, "CNY"),
      ("１６．５９－２５．１３万", 165_900, 251_300, "CNY"),
      ("16.59～25.13万元", 165_900, 251_300, "CNY"),
      ("16.59 — 25.13 万", 165_900, 251_300, "CNY"),
      ("16.59至25.13万", 165_900, 251_300, "CNY"),
      ("16.59~25.13万", 165_900, 251_300, "CNY"),
      ("16.59--25.13万", 165_900, 251_300, "CNY"),
      ("指导价：16.59-25.13万", 165_900, 251_300, "CNY"),
      ("25.13-16.59万", 165_900, 251_300, "CNY"),
      ("5000-1.2万", 5000, 12_000, "CNY"),
      ("20万", 200_000, 200_000, "CNY"),
      ("25万起", 250_000, 250_000, "CNY"),
      ("约20万", 200_000, 200_000, "CNY"),
      ("0-25万", 250_000, 250_000, "CNY"),
      ("20w", 200_000, 200_000, nil),
      ("1.2亿", 120_000_000, 120_000_000, nil),
      ("1亿2000万", 120_000_000, 120_000_000, "CNY"),
      ("5百万", 5_000_000, 5_000_000, "CNY"),
      ("3千元", 3000, 3000, "CNY"),
      ("1e5", 100_000, 100_000, nil),
      ("1.5e3 EUR", 1500, 1500, "EUR"),
      ("1e5x", 1, 1, nil),
      ("¥199,900", 199_900, 199_900, "CNY"),
      ("￥199,900", 199_900, 199_900, "CNY"),
      ("$1,299.99", 1299.99, 1299.99, "USD"),
      ("US$ 1,299.99", 1299.99, 1299.99, "USD"),
      ("HK$99", 99, 99, "HKD"),
      ("1.299,99 €", 1299.99, 1299.99, "EUR"),
      ("1.299 €", 1299, 1299, "EUR"),
      ("12,50 €", 12.5, 12.5, "EUR"),
      ("€12.50", 12.5, 12.5, "EUR"),
      ("1.299.000", 1_299_000, 1_299_000, nil),
      ("CHF 1'299.50", 1299.5, 1299.5, "CHF"),
      ("USD 25,000 - 30,000", 25_000, 30_000, "USD"),
      ("25 000 to 30 000 USD", 25_000, 30_000, "USD"),
      ("$20k-$30k", 20_000, 30_000, "USD"),
      ("20-30K", 20_000, 30_000, nil),
      ("200万円", 2_000_000, 2_000_000, "JPY"),
      ("19.99", 19.99, 19.99, nil),
      ("¥0.1万", 1000, 1000, "CNY"),
      ("$25,000-$30,000", 25_000, 30_000, "USD"),
      ("From $42,490*", 42_490, 42_490, "USD"),
      ("25.98万 - 31.98万", 259_800, 319_800, "CNY"),
      ("限时售价：25.98万元起", 259_800, 259_800, "CNY"),
      ("199,900.00元", 199_900, 199_900, "CNY"),
      ("20-30万元（补贴后）", 200_000, 300_000, "CNY"),
      ("RMB 199900", 199_900, 199_900, "CNY"),
      ("4 990 kr", 4990, 4990, nil),
      ("Rs. 1,99,900", 199_900, 199_900, nil),
      ("1.2M", 1_200_000, 1_200_000, nil),
      ("£1.2m", 1_200_000, 1_200_000, "GBP"),
      ("£1-2m", 1_000_000, 2_000_000, "GBP"),
      ("$3bn", 3_000_000_000, 3_000_000_000, "USD"),
      ("$1.5 billion", 1_500_000_000, 1_500_000_000, "USD"),
      ("1,2 Mio. €", 1_200_000, 1_200_000, "EUR"),
      ("45 lakh", 4_500_000, 4_500_000, nil),
      ("2 crore", 20_000_000, 20_000_000, nil),
      ("€12 m²", 12, 12, "EUR"),
      ("€20 per 100m²", 20, 20, "EUR"),
      ("€3 m", 3, 3, "EUR"),
      ("$20 mini", 20, 20, "USD"),
    ] as [(String, Double, Double, String?)])
  func reads(_ text: String, low: Double, high: Double, currency: String?) throws {
    let money = try #require(Money(parsing: text))
    #expect(money.low == low)
    #expect(money.high == high)
    #expect(money.currency == currency)
    #expect(money.text == text)
  }

  @Test(
    "a text without an amount is a money without one",
    arguments: ["暂无报价", "暂无", "价格待定", "Price on request", "即将上市"])
  func readsTextOnly(_ text: String) throws {
    let money = try #require(Money(parsing: text))
    #expect(money.low == nil)
    #expect(money.high == nil)
    #expect(money.text == text)
  }

  @Test(
    "nothing, zero and less than zero are no price",
    arguments: [
      "", "  ", "0", "0.00", "¥0", "0万", "0-0万", "-5", "-5万", "--", "—", "¥", "¥-5", "-¥5",
    ])
  func refuses(_ text: String) {
    #expect(Money(parsing: text) == nil)
  }

  @Test("the given currency counts where the text leaves it open")
  func takesCurrency() {
    #expect(Money(parsing: "199,900", currency: "JPY")?.currency == "JPY")
    #expect(Money(parsing: "¥199,900", currency: "JPY")?.currency == "JPY")
    #expect(Money(parsing: "$5", currency: "CAD")?.currency == "CAD")
    #expect(Money(parsing: "5 €", currency: "CAD")?.currency == "EUR")
    #expect(Money(parsing: "暂无报价", currency: "CNY")?.currency == "CNY")
  }

  @Test("numbers are prices when they are above zero")
  func takesNumbers() {
    #expect(Money(199_900.0)?.text == "199900")
    #expect(
      Money(19.5, currency: "EUR") == Money(low: 19.5, high: 19.5, currency: "EUR", text: "19.5"))
    #expect(Money(Int64(7))?.high == 7)
    for number in [0, -1, .nan, .infinity] { #expect(Money(number) == nil) }
    #expect(Money(Int64(0)) == nil)
    #expect(Money(Int64(-3)) == nil)
  }

  @Test("letters beside digits are names, not amounts")
  func leavesNames() throws {
    let money = try #require(Money(parsing: "Audi A4 from 30,000 EUR"))
    #expect(money.low == 30_000)
    #expect(money.currency == "EUR")
  }

  @Test("a long run of digits neither traps nor hangs")
  func survivesLongDigits() {
    let money = Money(parsing: String(repeating: "9", count: 2000) + "万亿")
    #expect(money?.low == nil)
  }
}
