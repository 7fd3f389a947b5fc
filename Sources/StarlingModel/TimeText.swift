/// Brings the text of a time that is more than ASCII into what `TimeReader` reads: digits of all
/// scripts, full-width forms, Chinese numerals, the years of eras, month names beyond Latin,
/// Cyrillic and Greek.
struct TimeText {
  private let scalars: [Unicode.Scalar]
  private var at = 0
  private var output: [UInt8] = []

  /// The text in that form; nil when it is ASCII already, or is no UTF-8.
  static func normalized(_ bytes: UnsafeBufferPointer<UInt8>) -> [UInt8]? {
    // No time is longer; a bound keeps a hostile one cheap.
    let head = unsafe UnsafeBufferPointer(rebasing: bytes.prefix(512))
    guard unsafe head.contains(where: { $0 >= 0x80 }) else { return nil }
    var text = unsafe TimeText(Array(String(decoding: head, as: UTF8.self).unicodeScalars))
    text.read()
    return text.output
  }

  private init(_ scalars: [Unicode.Scalar]) {
    self.scalars = scalars
  }

  private mutating func read() {
    while at < scalars.count {
      let scalar = scalars[at]
      if scalar.isASCII {
        readASCII(scalar)
      } else if !readEra(), !readMonth(), !readNumeral() {
        append(scalar)
        at += 1
      }
    }
  }

  private mutating func readASCII(_ scalar: Unicode.Scalar) {
    if scalar.properties.numericType == .decimal, isThai { return appendThaiYear() }
    output.append(UInt8(truncatingIfNeeded: scalar.value))
    at += 1
  }

  private mutating func append(_ text: String) {
    output.append(contentsOf: text.utf8)
  }

  private mutating func append(_ scalar: Unicode.Scalar) {
    switch scalar.value {
    case 0x00A0, 0x1680, 0x2000...0x200A, 0x202F, 0x205F, 0x3000: output.append(0x20)
    case 0x200B...0x200F, 0x2066...0x2069, 0xFEFF, 0x0300...0x036F: break
    case 0x2010...0x2013, 0x2212, 0xFE63: output.append(0x2D)
    case 0xFF01...0xFF5E: output.append(UInt8(truncatingIfNeeded: scalar.value - 0xFEE0))
    case 0x0100...0x017F: output.append(TimeText.latin[Int(scalar.value - 0x0100)])
    case 0x0218, 0x0219: output.append(0x73)
    case 0x021A, 0x021B: output.append(0x74)
    default:
      if let digit = TimeText.digit(scalar) { return output.append(0x30 + digit) }
      if let units = UTF8.encode(scalar) { output.append(contentsOf: units) }
    }
  }

  private static func digit(_ scalar: Unicode.Scalar) -> UInt8? {
    guard scalar.properties.numericType == .decimal, let value = scalar.properties.numericValue
    else { return nil }
    return UInt8(exactly: value)
  }

  /// U+0100 to U+017F without their marks.
  private static let latin = Array(
    ("AaAaAaCcCcCcCcDdDdEeEeEeEeEeGgGgGgGgHhHhIiIiIiIiIiJjJjKkkLlLlLlLlLlNnNnNnnNn"
      + "OoOoOoOoRrRrRrSsSsSsSsTtTtTtUuUuUuUuUuUuWwYyYZzZzZzs").utf8)

  private func has(_ name: String, at place: Int) -> Bool {
    scalars[place...].starts(with: name.unicodeScalars)
  }

  // MARK: Numerals

  private static let digits: [Unicode.Scalar: Int] = [
    "〇": 0, "零": 0, "○": 0, "一": 1, "二": 2, "三": 3, "四": 4, "五": 5, "六": 6, "七": 7, "八": 8, "九": 9,
    "元": 1,
  ]
  private static let tens: [Unicode.Scalar: Int] = ["十": 1, "廿": 2, "卅": 3]
  private static let units = Set("年月日号號时時点點分秒".unicodeScalars)
  /// What stands before the number of a weekday, which is no number of a date.
  private static let weeks = Set("期周週拜".unicodeScalars)

  /// A number in Chinese in front of a unit; without one it is left out.
  private mutating func readNumeral() -> Bool {
    guard let (value, end) = numeral(from: at) else { return false }
    let isDate = end < scalars.count && TimeText.units.contains(scalars[end])
    let isWeekday = at > 0 && TimeText.weeks.contains(scalars[at - 1])
    at = end
    if isDate, !isWeekday { append(String(value)) }
    return true
  }

  private func numeral(from start: Int) -> (value: Int, end: Int)? {
    var value = 0
    var last: Int?
    var place = start
    while place < scalars.count, place - start < 6 {
      if let digit = TimeText.digits[scalars[place]] {
        value = value * (hasTens(start, place) ? 1 : 10) + digit
        last = digit
      } else if let ten = TimeText.tens[scalars[place]] {
        value = ten == 1 ? (last ?? 1) * 10 : ten * 10
      } else {
        break
      }
      place += 1
    }
    return place > start ? (value, place) : nil
  }

  private func hasTens(_ start: Int, _ end: Int) -> Bool {
    scalars[start..<end].contains { TimeText.tens[$0] != nil }
  }

  // MARK: Eras

  /// The eras of Japan, and the calendar of Taiwan, with the year before their first.
  private static let eras: [(String, Int)] = [
    ("令和", 2018), ("平成", 1988), ("昭和", 1925), ("民國", 1911), ("民国", 1911),
  ]

  private mutating func readEra() -> Bool {
    guard let (name, start) = TimeText.eras.first(where: { has($0.0, at: at) }) else {
      return false
    }
    var place = at + name.unicodeScalars.count
    while place < scalars.count, scalars[place].properties.isWhitespace { place += 1 }
    var year = 0
    var end = place
    while end < scalars.count, end - place < 3, let digit = TimeText.digit(scalars[end]) {
      year = year * 10 + Int(digit)
      end += 1
    }
    if end == place, let (value, past) = numeral(from: place) { (year, end) = (value, past) }
    guard end > place, year < 1000 else { return false }
    append(String(start + year))
    at = end
    return true
  }

  // MARK: Months, and the years of Thailand

  private mutating func readMonth() -> Bool {
    guard scalars[at].value >= 0x590, scalars[at].value < 0xE60 else { return false }
    for (month, names) in TimeText.months.enumerated() {
      for name in names where has(name, at: at) {
        append(" " + TimeText.english[month] + " ")
        at += name.unicodeScalars.count
        return true
      }
    }
    return false
  }

  private static let english = [
    "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec",
  ]

  /// Thai, Hebrew, Hindi, Arabic of Egypt and of the Levant, Persian spellings of European months.
  private static let months: [[String]] = [
    "มกราคม ม.ค. ינואר ינו׳ जनवरी जन॰ يناير كانون_الثاني ژانویه",
    "กุมภาพันธ์ ก.พ. פברואר פבר׳ फ़रवरी फरवरी فبراير شباط فوریه",
    "มีนาคม มี.ค. מרץ मार्च مارس آذار",
    "เมษายน เม.ย. אפריל אפר׳ अप्रैल أبريل إبريل ابريل نيسان آوریل",
    "พฤษภาคม พ.ค. מאי मई مايو أيار مه",
    "มิถุนายน มิ.ย. יוני जून يونيو يونيه حزيران ژوئن",
    "กรกฎาคม ก.ค. יולי जुलाई يوليو يوليه تموز ژوئیه",
    "สิงหาคม ส.ค. אוגוסט אוג׳ अगस्त أغسطس اغسطس آب اوت",
    "กันยายน ก.ย. ספטמבר ספט׳ सितंबर सितम्बर سبتمبر أيلول سپتامبر",
    "ตุลาคม ต.ค. אוקטובר אוק׳ अक्टूबर अक्तूबर أكتوبر اكتوبر تشرين_الأول اکتبر",
    "พฤศจิกายน พ.ย. נובמבר נוב׳ नवंबर नवम्बर نوفمبر تشرين_الثاني نوامبر",
    "ธันวาคม ธ.ค. דצמבר דצמ׳ दिसंबर दिसम्बर ديسمبر كانون_الأول دسامبر",
  ].map { $0.split(separator: " ").map { String($0.replacing("_", with: " ")) } }

  private var isThai: Bool { scalars.contains { (0xE00..<0xE60).contains($0.value) } }

  /// A number in a Thai text: years of four digits count from 543 BC.
  private mutating func appendThaiYear() {
    var digits: [UInt8] = []
    while at < scalars.count, let digit = TimeText.digit(scalars[at]) {
      digits.append(0x30 + digit)
      at += 1
    }
    guard digits.count == 4, let year = Int(String(decoding: digits, as: UTF8.self)),
      (2400...2699).contains(year)
    else { return output.append(contentsOf: digits) }
    append(String(year - 543))
  }
}
