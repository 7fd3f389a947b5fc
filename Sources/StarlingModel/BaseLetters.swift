/// The letters under accents: what a search takes `é`, `ế`, `ё` and `أ` for.
///
/// Rules keep accents apart (`TextFold`), since they decide; a search forgives them, since whoever
/// types it may not know them or not have them on the keyboard. A mark that makes another letter of
/// one is no accent, such as the nukta that makes `ज़` (za) of `ज` (ja): it counts.
enum BaseLetters {
  /// In each group first the letter, then those that a search takes for it: its canonical
  /// decompositions without their marks, and Latin letters with a stroke, a hook or the like.
  /// Small letters only; capitals are folded before. Source: Unicode Character Database.
  static let groups: [String] = [
    "aàáâãäåāăąǎǟǡǻȁȃȧḁạảấầẩẫậắằẳẵặⱥ", "bƀƃḃḅḇ", "cçćĉċčƈȼḉ", "dďđƌȡḋḍḏḑḓ",
    "eèéêëēĕėęěȅȇȩɇḕḗḙḛḝẹẻẽếềểễệ", "fƒḟ", "gĝğġģǥǧǵḡ", "hĥħȟḣḥḧḩḫẖⱨ", "iìíîïĩīĭįİıǐȉȋḭḯỉị",
    "jĵǰɉ", "kķƙǩḱḳḵ\u{212A}ⱪ", "lĺļľŀłƚȴḷḹḻḽⱡ", "mḿṁṃ", "nñńņňƞǹȵṅṇṉṋ",
    "oòóôõöøōŏőơǒǫǭǿȍȏȫȭȯȱṍṏṑṓọỏốồổỗộớờởỡợ", "pƥṕṗ", "qɋ", "rŕŗřȑȓɍṙṛṝṟ", "sśŝşšſșȿṡṣṥṧṩẛ",
    "tţťŧƫƭțȶṫṭṯṱẗⱦ", "uùúûüũūŭůűųưǔǖǘǚǜȕȗṳṵṷṹṻụủứừửữự", "vṽṿ", "wŵẁẃẅẇẉẘⱳ", "xẋẍ",
    "yýÿŷƴȳɏẏẙỳỵỷỹ", "zźżžƶȥɀẑẓẕⱬ", "ʒǯ", "αάἀἁἂἃἄἅἆἇὰάᾀᾁᾂᾃᾄᾅᾆᾇᾰᾱᾲᾳᾴᾶᾷ", "εέἐἑἒἓἔἕὲέ",
    "ηήἠἡἢἣἤἥἦἧὴήᾐᾑᾒᾓᾔᾕᾖᾗῂῃῄῆῇ", "ιΐίϊἰἱἲἳἴἵἶἷὶίῐῑῒΐῖῗ", "οόὀὁὂὃὄὅὸό", "ρῤῥ",
    "υΰϋύὐὑὒὓὔὕὖὗὺύῠῡῢΰῦῧ", "ωώὠὡὢὣὤὥὦὧὼώᾠᾡᾢᾣᾤᾥᾦᾧῲῳῴῶῷ", "ϒϓϔ", "аӑӓ", "гѓ", "еѐёӗ", "жӂӝ",
    "зӟ", "ийѝӣӥ", "кќ", "оӧ", "уўӯӱӳ", "чӵ", "ыӹ", "эӭ", "ії", "ѵѷ", "әӛ", "өӫ", "اآأإ", "وؤ",
    "يئ", "ہۂ", "ےۓ", "ەۀ",
  ]

  /// Letters that are written as two.
  static let pairs: [(letters: String, base: String)] = [
    ("æǽǣ", "ae"), ("œ", "oe"), ("ß", "ss"), ("ĳ", "ij"), ("ﬀ", "ff"), ("ﬁ", "fi"), ("ﬂ", "fl"),
    ("ﬅﬆ", "st"),
  ]

  /// The half-width kana, U+FF66 to U+FF9D, in full width.
  static let kana = Array(
    "ヲァィゥェォャュョッーアイウエオカキクケコサシスセソタチツテトナニヌネノハヒフヘホマミムメモヤユヨラリルレロワン"
      .unicodeScalars.map(\.value))

  /// A letter's one or two base letters; the second is 0 where there is one.
  static let bases: [UInt32: (UInt32, UInt32)] = {
    var bases: [UInt32: (UInt32, UInt32)] = [:]
    for group in groups {
      let letters = group.unicodeScalars.map(\.value)
      for letter in letters.dropFirst() { bases[letter] = (letters[0], 0) }
    }
    for pair in pairs {
      let base = pair.base.unicodeScalars.map(\.value)
      for letter in pair.letters.unicodeScalars { bases[letter.value] = (base[0], base[1]) }
    }
    return bases
  }()

  /// A scalar of the block of half-width and full-width forms (U+FF00 to U+FFEF) as it is elsewhere.
  static func withoutWidth(_ scalar: UInt32) -> UInt32 {
    switch scalar {
    case 0xFF01...0xFF5E: scalar - 0xFEE0
    case 0xFF66...0xFF9D: kana[Int(scalar - 0xFF66)]
    case 0xFF9E, 0xFF9F: scalar - 0xFF9E + voicedMark
    // Half-width Hangul, in the order of the compatibility letters.
    case 0xFFA1...0xFFBE: scalar - 0xFFA1 + 0x3131
    case 0xFFC2...0xFFC7: scalar - 0xFFC2 + 0x314F
    case 0xFFCA...0xFFCF: scalar - 0xFFCA + 0x3155
    case 0xFFD2...0xFFD7: scalar - 0xFFD2 + 0x315B
    case 0xFFDA...0xFFDC: scalar - 0xFFDA + 0x3161
    case 0xFFE0: 0xA2
    case 0xFFE1: 0xA3
    case 0xFFE5: 0xA5
    case 0xFFE6: 0x20A9
    default: scalar
    }
  }

  /// The mark that makes か to が, combining; the next scalar is the one that makes は to ぱ.
  static let voicedMark: UInt32 = 0x3099

  /// The kana that a kana and a mark after it are, or nil.
  static func voiced(_ kana: UInt32, mark: UInt32) -> UInt32? {
    let isKatakana = kana >= 0x30A0
    let place = isKatakana ? kana &- 0x60 : kana
    let row: UInt32
    switch place {
    case 0x304B...0x3062 where place & 1 == 1, 0x3064, 0x3066, 0x3068: row = 1
    case 0x306F...0x307D where (place - 0x306F) % 3 == 0: row = 2
    case 0x3046 where mark == voicedMark: return isKatakana ? 0x30F4 : 0x3094
    default: return nil
    }
    if mark == voicedMark { return kana + 1 }
    return row == 2 ? kana + 2 : nil
  }
}
