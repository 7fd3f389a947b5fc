/// A rules file to begin with.
public enum RulesTemplate {
  /// - Throws: `HostError` of kind `host` when something lies there already, or it cannot be
  ///   written.
  public static func write(to file: String) throws(HostError) {
    try Files.create(file, Array(text.utf8))
  }

  /// Each example is a comment, so that the file stars nothing until its user says so.
  static let text = """
    -- Rules run from top to bottom. Names are conditions, and each must hold; bare words are actions.
    --   starling rules check FILE   what is wrong, with line and nearest spelling
    --   starling rules try FILE     what it would star; nothing is written

    -- What is paid for is left out, whatever a later rule says. stop would do the same.
    -- rule "Sponsored" { title = has { "sponsored", "advertisement" }, skip }

    -- has finds a text anywhere, word only whole words; both ignore case.
    -- rule "My words" { kind = "news", title = word { "Swift", "Lua" }, star, tag "dev" }

    -- is, at_least, at_most, above, below, between compare; since and before ask a time.
    -- rule "Busy threads" { kind = "post", replies = above(30), published = since "7d", star }

    -- missing, not_, any and all join conditions.
    -- rule "Cheap" {
    --   kind = "car_type", price = below "200000", energy = not_(is "petrol"), star,
    -- }

    -- A function sees the entity and gives its reason.
    -- rule "Loved" {
    --   kind = "post",
    --   when = function(p) return (p.likes or 0) > (p.replies or 0), "more likes than replies" end,
    --   star,
    -- }

    """
}
