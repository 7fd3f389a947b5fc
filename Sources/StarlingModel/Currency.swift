/// The currencies that a price may name, by sign, code or word.
struct Currency {
  /// ISO 4217.
  var code: String
  /// The sign stands for several currencies; this is the usual one.
  var isShared = false

  /// The currency that begins `scalars`, with the number of scalars that name it.
  static func match(_ scalars: ArraySlice<Unicode.Scalar>) -> (currency: Currency, length: Int)? {
    guard let first = scalars.first else { return nil }
    for (sign, currency) in signs where sign.first == first && scalars.starts(with: sign) {
      return (currency, sign.count)
    }
    let word = scalars.prefix { $0.isASCII && $0.properties.isAlphabetic }
    guard word.count == 3, word.allSatisfy({ $0.properties.isUppercase }) else { return nil }
    var code = ""
    code.unicodeScalars.append(contentsOf: word)
    return codes.contains(code) ? (Currency(code: code == "RMB" ? "CNY" : code), 3) : nil
  }

  /// Longer signs before those that begin them.
  private static let signs: [([Unicode.Scalar], Currency)] =
    [
      ("US$", "USD"), ("HK$", "HKD"), ("NT$", "TWD"), ("AU$", "AUD"), ("CA$", "CAD"), ("A$", "AUD"),
      ("C$", "CAD"), ("S$", "SGD"), ("R$", "BRL"), ("CN¥", "CNY"), ("JP¥", "JPY"), ("€", "EUR"),
      ("£", "GBP"), ("₩", "KRW"), ("₽", "RUB"), ("₹", "INR"), ("₺", "TRY"), ("₴", "UAH"),
      ("฿", "THB"), ("₫", "VND"), ("zł", "PLN"), ("Kč", "CZK"), ("人民币", "CNY"), ("美元", "USD"),
      ("美金", "USD"), ("欧元", "EUR"), ("歐元", "EUR"), ("英镑", "GBP"), ("日元", "JPY"),
      ("港元", "HKD"), ("港币", "HKD"), ("港幣", "HKD"), ("新台币", "TWD"), ("韩元", "KRW"),
      ("円", "JPY"), ("元", "CNY"), ("원", "KRW"),
    ].map { (Array($0.unicodeScalars), Currency(code: $1)) }
    + [("$", "USD"), ("¥", "CNY")].map {
      (Array($0.unicodeScalars), Currency(code: $1, isShared: true))
    }

  private static let codes: Set<String> = [
    "AED", "ARS", "AUD", "BGN", "BRL", "CAD", "CHF", "CLP", "CNY", "COP", "CZK", "DKK", "EGP",
    "EUR", "GBP", "HKD", "HUF", "IDR", "ILS", "INR", "ISK", "JPY", "KRW", "KZT", "MOP", "MXN",
    "MYR", "NGN", "NOK", "NZD", "PEN", "PHP", "PKR", "PLN", "QAR", "RMB", "RON", "RSD", "RUB",
    "SAR", "SEK", "SGD", "THB", "TRY", "TWD", "UAH", "USD", "VND", "ZAR",
  ]
}
