import Testing

@testable import Starling

@Suite struct RulesTextTests {
  @Test(
    "a good rule is good however it is written",
    arguments: [
      "rule\"A\"{kind=\"news\",title=has\"a\",star}",
      "rule 'A' { kind = 'news'; title = has { 'a', 'b'; }; star; }",
      "rule [[A]] { [\"kind\"] = [==[news]==], [ 'title' ] = has [[a}]], star }",
      "rule(\"A\")({ kind = \"news\", star })",
      "rule(\"A\" .. \" and B\") { kind = \"news\", star }",
      "rule\n\"A\"\n{\nkind = \"news\", star\n}",
      """
      rule "A" { -- a comment with } and { and "quotes
        kind = "news", --[[ title = nil, ]] --[==[ star ]] }
        ]==] title = has "a \\" } -- no comment", star,
      }
      """,
      """
      rule "A" {
        kind = "post", star,
        when = function(p)
          local t = { a = 1, b = nil, function() return { c = nil } end }
          for i = 1, 2 do if i == 1 then t[i] = i elseif i == 2 then t[i] = nil else t = t end end
          while false do break end
          repeat local x = 1 until x == 1
          do local y = 1e-5 + 0x1p-2 end
          goto done
          ::done::
          return (p.likes or 0) >= 5 and t.a ~= nil, "why"
        end,
      }
      """,
      "rule \"A\" { kind = \"news\", star } rule \"B\" { kind = \"post\", star, stop }",
      "local function make(n) rule(n) { kind = \"news\", star } end make \"A\" make \"B\"",
      "local body = { kind = \"news\", star } rule \"A\" (body)",
      "rule \"A\" { kind = \"news\", title = any { has \"a\", not_(word \"b\") }, tag { \"x\" }, star }",
      "local tags = { \"a\" } rule \"A\" { kind = \"news\", star, tag(table.unpack(tags)) }",
      "rule \"A\" { kind = { \"news\", \"post\" }, any { title = has \"a\", { title = \"b\" } }, star }",
    ])
  func good(source: String) throws {
    #expect(try RulesSupport.faults(source) == [])
  }

  @Test("a name on a line of its own does not hide a value that is nil")
  func ownLine() throws {
    let faults = try RulesSupport.faults(
      "local t = {}\nrule\n\"A\"\n{ kind = \"news\",\n title = t.x, star }")
    #expect(faults.count == 1)
    #expect(
      faults.first?.hasPrefix("conf/rules.lua:5: rule \"A\": the value of `title` is nil") == true)
  }

  @Test("tokens have their lines, and comments and spaces are left out")
  func tokens() {
    let source = "a = 1.5e-3 --[[ x\ny ]] .. 'b\\\nc'\n-- d\n[=[e\n]=] ~= ... //"
    let tokens = LuaLexer.tokens(of: Array(source.utf8))
    #expect(
      tokens.map(\.text) == [
        "a", "=", "1.5e-3", "..", "'b\\\nc'", "[=[e\n]=]", "~=", "...", "//",
      ])
    #expect(tokens.map(\.line) == [1, 1, 1, 2, 2, 5, 6, 6, 6])
    #expect(tokens[5].content == "e\n")
  }

  @Test("text that is no Lua gives tokens all the same")
  func odd() {
    for source in ["'", "[==[", "--[[", "\\", "é", "\u{0}", "1e", "]]", "rule \"A\" {", "{ = , }"] {
      _ = LuaLexer.tokens(of: Array(source.utf8))
      _ = RuleText(Array(source.utf8)).body(of: "rule", "A", line: 1)
    }
  }
}
