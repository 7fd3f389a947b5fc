extension WordSearch {
  /// Where the words stand in a text, to mark them: in order, none touching another.
  ///
  /// A text with some of the words only is marked all the same: the others are in another field.
  public func ranges(in text: String) -> [Range<String.Index>] {
    var text = text
    text.makeContiguousUTF8()
    let utf8 = text.utf8
    return ranges(in: utf8.span).map { range in
      utf8.index(
        utf8.startIndex, offsetBy: range.lowerBound)..<utf8.index(
          utf8.startIndex, offsetBy: range.upperBound)
    }
  }

  /// The same in bytes.
  package func ranges(in text: Span<UInt8>) -> [Range<Int>] {
    let tokens = SearchTokens(of: text)
    var found: [Range<Int>] = []
    for phrase in phrases {
      for start in tokens.places.indices {
        if let range = phrase.range(at: start, in: tokens) { found.append(range) }
      }
    }
    found.sort { $0.lowerBound < $1.lowerBound }
    var joined: [Range<Int>] = []
    for range in found {
      if let last = joined.last, range.lowerBound <= last.upperBound {
        let end = max(last.upperBound, range.upperBound)
        joined[joined.count - 1] = last.lowerBound..<end
      } else {
        joined.append(range)
      }
    }
    return joined
  }
}

extension WordSearch.Phrase {
  fileprivate func range(at start: Int, in text: SearchTokens) -> Range<Int>? {
    guard tokens.count <= text.places.count - start else { return nil }
    for (offset, token) in tokens.enumerated() {
      let bytes = text.bytes(of: text.places[start + offset])
      let isLast = offset == tokens.count - 1
      guard isLast && isOpen ? bytes.starts(with: token) : bytes.elementsEqual(token) else {
        return nil
      }
    }
    let last = text.places[start + tokens.count - 1]
    let end = endsInSingle ? last.firstEnd : last.text.upperBound
    return text.places[start].text.lowerBound..<end
  }
}
