import Starling
import StarlingFavorites
import StarlingModel

extension Command {
  static let open = Command(
    spec: CommandSpec(
      "open", operands: "KIND KEY", summary: "Open the page of an entity in the browser",
      details: "Runs xdg-open with its link or url, if that is of http or https.",
      minimumOperands: 2, maximumOperands: 2)
  ) { context throws(ToolError) in
    let store = try context.store(for: context.operand(0))
    let kind = try context.kind(context.operand(0), in: store)
    let name = "\(kind.name) \(context.operand(1))"
    let entity = try stored { () throws(FavoritesError) in
      try store.entity(kind: kind.name, key: context.operand(1))
    }
    guard let entity else {
      throw .absent(name, "no such entity; see starling list \(kind.name) --all")
    }
    guard let address = entity.webAddress else {
      throw ToolError(name, "it has no address of the web")
    }
    if let failure = Terminal.openInBrowser(address) {
      throw ToolError(
        name, "xdg-open cannot be run: \(failure); the address is \(TerminalText.line(address))")
    }
    return .done
  }
}
