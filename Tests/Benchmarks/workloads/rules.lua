-- Ten rules over the fields of news, as a reader would write them; few items match.
rule "Sponsored"   { title = has { "sponsored", "赞助" }, skip }
rule "Languages"   { kind = "news", title = word { "Swift", "Lua" }, star, tag "dev" }
rule "Databases"   { kind = "news", title = word "SQLite", star, tag "dev" }
rule "Ada"         { kind = "news", author = is "Ada Byron", title = has "kernel compiler", star }
rule "Batteries"   { kind = "news", title = has { "电池 续航", "固态电池" }, star, tag "ev" }
rule "Orbit"       { kind = "news", title = has "orbit planet", star }
rule "Old"         { kind = "news", published = before "2020-01-01", star }
rule "Health"      { kind = "news", categories = has "Health", title = has "coffee museum", star }
rule "Host"        { kind = "news", link = has "archive.example.org", star }
rule "Summary"     { kind = "news", summary = has "the word that never comes", star }
