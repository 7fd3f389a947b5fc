import StarlingModel

/// Where a text that is being typed stands on the screen, counted from where it begins.
struct LineLayout {
  struct Place: Equatable {
    var row: Int
    /// From 0.
    var column: Int
  }

  private let text: String

  init(_ text: String) {
    self.text = text
  }

  /// The place of the cursor behind the text.
  func end(in width: Int) -> Place {
    var place = Place(row: 0, column: 0)
    for character in text {
      if character == "\n" {
        place = Place(row: place.row + 1, column: 0)
        continue
      }
      let columns = DisplayWidth.width(of: character)
      if place.column + columns > width { place = Place(row: place.row + 1, column: 0) }
      place.column += columns
    }
    return place.column == width ? Place(row: place.row + 1, column: 0) : place
  }

  /// The place of the cursor behind the text that was drawn in one width, after the terminal has
  /// broken its lines anew for another.
  func end(drawnIn old: Int, reflowedTo new: Int) -> Place {
    var lines = lines(drawnIn: old)
    let last = lines.popLast() ?? ""
    var place = LineLayout(last).end(in: new)
    for line in lines {
      let end = LineLayout(line).end(in: new)
      place.row += end.column == 0 ? max(1, end.row) : end.row + 1
    }
    return place
  }

  /// What the terminal takes for lines. A row that ends with a blank is one: libedit does not write
  /// such a blank, but goes to the next row.
  private func lines(drawnIn width: Int) -> [String] {
    var lines: [String] = []
    var line = ""
    var column = 0
    func close() {
      while line.last == " " { line.removeLast() }
      lines.append(line)
      line = ""
    }
    for character in text {
      let columns = DisplayWidth.width(of: character)
      if character == "\n" || column + columns > width {
        if character == "\n" || line.last == " " { close() }
        column = 0
      }
      if character == "\n" { continue }
      line.append(character)
      column += columns
    }
    return lines + [line]
  }
}
