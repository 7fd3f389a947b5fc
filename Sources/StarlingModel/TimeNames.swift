/// The names of months, zones and halves of the day that feeds use.
enum TimeNames {
  /// The month of a word in lower case without accents, by its first three letters: English, French,
  /// German, Spanish, Italian, Portuguese, Galician, Romanian, Dutch, the Nordic and Baltic
  /// languages, Polish, Czech, Croatian, Hungarian, Finnish, Turkish, Indonesian.
  ///
  /// - Parameter word: up to eight letters, the last in the low byte; `count` of them.
  static func month(_ head: UInt32, _ word: UInt64, _ count: Int) -> Int? {
    guard let month = months[head] else { return nil }
    guard count >= 4 else { return month }
    let fourth = UInt8(truncatingIfNeeded: word >> UInt64(8 * (count - 4)))
    for other in fourths where other.head == head && other.fourth == fourth { return other.month }
    // Czech cerven is June, cervenec and cervence are July.
    if head == 0x63_65_72, count == 8 { return 7 }
    return month
  }

  /// Words that share three letters with another month or a weekday; nil is a weekday.
  private static let fourths: [(head: UInt32, fourth: UInt8, month: Int?)] = [
    ("juin", 6), ("juun", 6), ("lipa", 6), ("lipn", 6), ("marr", 11), ("maan", nil), ("kesk", nil),
    ("rugp", 8),
    ("paza", nil),
  ].map { word, month in
    let bytes = Array(word.utf8)
    return (bytes.prefix(3).reduce(0) { $0 << 8 | UInt32($1) }, bytes[3], month)
  }

  private static let months: [UInt32: Int] = {
    let words = [
      "jan ene gen sty oca led tam ian xan sau jaa sij", "feb fev lut sub uno hel vas vee vel",
      "mar mrt maa bre kov ozu", "apr avr abr kwi nis dub huh bal tra",
      "may mai maj mei mag kve tou geg svi",
      "jun giu cze haz cer kes iun xun bir", "jul jui lug lip tem hei iul xul juu lie",
      "aug aou ago sie agu srp elo kol", "sep set wrz sze eyl zar syy rug ruj",
      "oct okt ott out paz eki rij lok spa", "nov lis kas noi lap stu",
      "dec dez dic des gru ara pro jou det",
    ]
    var table: [UInt32: Int] = [:]
    for (index, list) in words.enumerated() {
      for word in list.split(separator: " ") {
        table[word.utf8.prefix(3).reduce(0) { $0 << 8 | UInt32($1) }] = index + 1
      }
    }
    return table
  }()

  /// Minutes east of UTC of a zone's name in lower case; RFC 822 and RFC 2822 list those of North
  /// America, the others are the usual ones of their regions.
  static func zone(_ word: UInt64) -> Int? {
    zones[word]
  }

  private static let zones: [UInt64: Int] = {
    let list: [(String, Int)] = [
      ("ut", 0), ("utc", 0), ("gmt", 0), ("wet", 0), ("est", -300), ("edt", -240), ("cst", -360),
      ("cdt", -300), ("mst", -420), ("mdt", -360), ("pst", -480), ("pdt", -420), ("ast", -240),
      ("adt", -180), ("nst", -210), ("ndt", -150), ("akst", -540), ("akdt", -480), ("hst", -600),
      ("at", -240), ("et", -300), ("ct", -360), ("mt", -420), ("pt", -480), ("brt", -180),
      ("art", -180),
      ("clt", -240), ("bst", 60), ("west", 60), ("cet", 60), ("met", 60), ("mez", 60),
      ("cest", 120), ("mest", 120), ("mesz", 120), ("eet", 120), ("sast", 120), ("eest", 180),
      ("msk", 180), ("msd", 240), ("trt", 180), ("gst", 240), ("pkt", 300), ("ist", 330),
      ("bdt", 360), ("ict", 420), ("wib", 420), ("hkt", 480), ("sgt", 480), ("awst", 480),
      ("pht", 480), ("myt", 480), ("jst", 540), ("kst", 540), ("acst", 570), ("acdt", 630),
      ("aest", 600), ("aedt", 660), ("nzst", 720), ("nzdt", 780),
    ]
    var table: [UInt64: Int] = [:]
    for (name, minutes) in list { table[name.utf8.reduce(0) { $0 << 8 | UInt64($1) }] = minutes }
    return table
  }()

  /// Whether three letters begin a day of the week in English.
  static func isWeekday(_ head: UInt32) -> Bool { weekdays.contains(head) }

  private static let weekdays = Set(
    ["mon", "tue", "wed", "thu", "fri", "sat", "sun"].map { day in
      day.utf8.reduce(0) { $0 << 8 | UInt32($1) }
    })

  /// Parts of the day, which tell what an hour below 13 means.
  enum Half {
    case early, late
    /// From late morning on: `中午11:30` and `中午1:30` are two hours apart.
    case noon
    /// The second half, which goes on behind midnight: `晚上12:30` is half an hour after it.
    case night
  }

  static let halves: [(StaticString, Half)] = [
    ("上午", .early), ("下午", .late), ("午前", .early), ("午後", .late), ("凌晨", .early),
    ("早上", .early), ("早晨", .early), ("清晨", .early), ("中午", .noon), ("正午", .noon),
    ("傍晚", .late), ("晚上", .night), ("晚间", .night), ("晚間", .night), ("夜里", .night),
    ("夜裡", .night), ("深夜", .night), ("夕方", .late), ("朝", .early), ("夜", .night),
    ("오전", .early), ("오후", .late), ("새벽", .early), ("아침", .early), ("정오", .noon),
    ("저녁", .late), ("밤", .night), ("π.μ.", .early), ("πμ", .early), ("μ.μ.", .late),
    ("μμ", .late), ("صباح", .early), ("مساء", .late),
  ]

  /// Zones by what is written beside a time in its language, in minutes east of UTC.
  static let writtenZones: [(StaticString, Int)] = [
    ("МСК", 180), ("мск", 180), ("北京时间", 480), ("北京時間", 480), ("台北時間", 480),
    ("日本時間", 540), ("한국시간", 540),
  ]

  /// A letter of two bytes in lower case, Cyrillic and Greek only; Greek loses its accents.
  static func lowered(_ first: UInt8, _ second: UInt8) -> UInt64 {
    var code = UInt64(first & 0x1F) << 6 | UInt64(second & 0x3F)
    switch code {
    case 0x410...0x42F, 0x391...0x3A9: code += 0x20
    case 0x400...0x40F: code += 0x50
    case 0x3AC: code = 0x3B1
    case 0x3AD: code = 0x3B5
    case 0x3AE: code = 0x3B7
    case 0x3AF, 0x3CA, 0x390: code = 0x3B9
    case 0x3CC: code = 0x3BF
    case 0x3CD: code = 0x3C5
    case 0x3CE: code = 0x3C9
    case 0x386: code = 0x3B1
    case 0x388: code = 0x3B5
    case 0x389: code = 0x3B7
    case 0x38A: code = 0x3B9
    case 0x38C: code = 0x3BF
    default: break
    }
    return code
  }

  /// The month of a word by its first three letters, 16 bits each.
  ///
  /// - Parameter isShort: the last byte of the fourth letter, where there is one.
  static func foreignMonth(_ key: UInt64, isShort: UInt8?) -> Int? {
    guard let month = foreignMonths[key] else { return nil }
    // Greek Ιουν and Ιουλ share three letters: ν is U+03BD, λ is U+03BB.
    if key == letters("ιου") { return isShort == 0xBB ? 7 : 6 }
    return month
  }

  private static func letters(_ word: String) -> UInt64 {
    word.unicodeScalars.prefix(3).reduce(0) { $0 << 16 | UInt64($1.value) }
  }

  private static let foreignMonths: [UInt64: Int] = {
    let words = [
      "янв січ ιαν яну", "фев лют φεβ", "мар бер μαρ", "апр кві απρ", "май мая тра μαι",
      "июн юни ιου", "июл лип юли", "авг сер αυγ", "сен вер σεπ сеп", "окт жов οκτ",
      "ноя лис νοε ное", "дек гру δεκ",
    ]
    var table: [UInt64: Int] = [:]
    for (index, list) in words.enumerated() {
      for word in list.split(separator: " ") { table[letters(String(word))] = index + 1 }
    }
    return table
  }()
}
