import StarlingModel

/// A charset by the name under which iconv knows it, after the labels of the WHATWG Encoding
/// Standard, 4.2: what is declared as a subset is read as the superset that publishers mean.
struct Charset: Equatable, Sendable {
  /// For iconv_open.
  var name: String

  static let utf8 = Charset(name: "UTF-8")
  static let windows1252 = Charset(name: "WINDOWS-1252")

  var isUTF8: Bool { self == .utf8 }

  /// Whether each of its ASCII characters is the same byte.
  var isASCIICompatible: Bool { !name.hasPrefix("UTF-16") && !name.hasPrefix("UTF-32") }

  /// How many bytes one unit has: what is between two bad ones is only read right if whole units are
  /// left out.
  var unitBytes: Int { name.hasPrefix("UTF-16") ? 2 : name.hasPrefix("UTF-32") ? 4 : 1 }

  private init(name: String) {
    self.name = name
  }

  /// The charset of a label such as `gb2312`; nil for a label that iconv does not know either.
  init?(label: String) {
    let key = label.trimmed.lowercased()
    guard !key.isEmpty else { return nil }
    if let known = Charset.known[key] {
      self.init(name: known)
      return
    }
    let isPlain = key.utf8.allSatisfy {
      ByteScan.isName($0) && $0 < 0x80
    }
    guard isPlain, key.utf8.count < 40, Transcoder.isKnown(key) else { return nil }
    self.init(name: key.uppercased())
  }

  /// What a byte order mark says, and how long it is.
  static func mark(_ bytes: [UInt8]) -> (charset: Charset, count: Int)? {
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { return (.utf8, 3) }
    if bytes.starts(with: [0xFF, 0xFE, 0, 0]) { return (Charset(name: "UTF-32LE"), 4) }
    if bytes.starts(with: [0, 0, 0xFE, 0xFF]) { return (Charset(name: "UTF-32BE"), 4) }
    if bytes.starts(with: [0xFF, 0xFE]) { return (Charset(name: "UTF-16LE"), 2) }
    if bytes.starts(with: [0xFE, 0xFF]) { return (Charset(name: "UTF-16BE"), 2) }
    return nil
  }

  /// What the zero bytes around the first characters say, where there is no mark: documents begin
  /// with ASCII.
  static func wide(_ bytes: [UInt8]) -> Charset? {
    guard bytes.count >= 4 else { return nil }
    switch (bytes[0] == 0, bytes[1] == 0, bytes[2] == 0, bytes[3] == 0) {
    case (true, true, true, false): return Charset(name: "UTF-32BE")
    case (false, true, true, true): return Charset(name: "UTF-32LE")
    case (true, false, true, false): return Charset(name: "UTF-16BE")
    case (false, true, false, true): return Charset(name: "UTF-16LE")
    default: return nil
    }
  }

  private static let known: [String: String] = [
    "utf-8": "UTF-8", "utf8": "UTF-8", "unicode-1-1-utf-8": "UTF-8", "x-unicode20utf8": "UTF-8",
    "us-ascii": "WINDOWS-1252", "ascii": "WINDOWS-1252", "ansi": "WINDOWS-1252",
    "iso-8859-1": "WINDOWS-1252", "iso8859-1": "WINDOWS-1252", "iso_8859-1": "WINDOWS-1252",
    "iso88591": "WINDOWS-1252", "latin1": "WINDOWS-1252", "latin-1": "WINDOWS-1252",
    "l1": "WINDOWS-1252", "cp1252": "WINDOWS-1252", "windows-1252": "WINDOWS-1252",
    "win-1252": "WINDOWS-1252", "x-cp1252": "WINDOWS-1252", "ansi_x3.4-1968": "WINDOWS-1252",
    "iso-8859-9": "WINDOWS-1254", "latin5": "WINDOWS-1254", "iso8859-9": "WINDOWS-1254",
    "iso-8859-11": "WINDOWS-874", "tis-620": "WINDOWS-874", "windows-874": "WINDOWS-874",
    "iso-8859-8-i": "ISO-8859-8", "win-1251": "WINDOWS-1251", "windows1251": "WINDOWS-1251",
    "cp-1251": "WINDOWS-1251", "x-cp1251": "WINDOWS-1251", "koi8-r": "KOI8-R", "koi8": "KOI8-R",
    "koi8_r": "KOI8-R", "koi": "KOI8-R", "koi8-ru": "KOI8-U",
    "gb2312": "GB18030", "gb_2312-80": "GB18030", "gb_2312": "GB18030", "gbk": "GB18030",
    "x-gbk": "GB18030", "cp936": "GB18030", "gb18030": "GB18030", "chinese": "GB18030",
    "euc-cn": "GB18030", "iso-ir-58": "GB18030", "hz-gb-2312": "HZ",
    "big5": "BIG5-HKSCS", "big5-hkscs": "BIG5-HKSCS", "cn-big5": "BIG5-HKSCS",
    "x-x-big5": "BIG5-HKSCS", "big-5": "BIG5-HKSCS", "cp950": "BIG5-HKSCS",
    "shift_jis": "CP932", "shift-jis": "CP932", "sjis": "CP932", "x-sjis": "CP932",
    "ms_kanji": "CP932", "windows-31j": "CP932", "cp932": "CP932", "ms932": "CP932",
    "euc-jp": "EUC-JP-MS", "eucjp": "EUC-JP-MS", "x-euc-jp": "EUC-JP-MS",
    "iso-2022-jp": "ISO-2022-JP", "csiso2022jp": "ISO-2022-JP",
    "euc-kr": "CP949", "euckr": "CP949", "ks_c_5601-1987": "CP949", "ksc5601": "CP949",
    "ks_c_5601": "CP949", "cp949": "CP949", "uhc": "CP949", "windows-949": "CP949",
    "korean": "CP949",
    // Without a mark and without zero bytes at the start these labels are wrong about the bytes.
    "utf-16": "UTF-16LE", "utf16": "UTF-16LE", "utf-16le": "UTF-16LE", "utf-16be": "UTF-16BE",
    "ucs-2": "UTF-16LE", "unicode": "UTF-16LE", "iso-10646-ucs-2": "UTF-16LE",
    "utf-32": "UTF-32LE", "utf32": "UTF-32LE", "utf-32le": "UTF-32LE", "utf-32be": "UTF-32BE",
    "ucs-4": "UTF-32LE",
  ]
}
