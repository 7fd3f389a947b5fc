-- The rules of `make demo`, from top to bottom. Try them on what is stored, without writing:
--   starling rules try --rules scripts/demo/rules.lua --since 30d

-- What is paid for is not starred, whatever else it says. `skip` ends the run for that entity.
rule "Sponsored" { title = has { "sponsored", "赞助" }, skip }

rule "Small languages" { kind = "news", title = word { "Swift", "Lua", "SQLite" }, star, tag "dev" }
rule "Batteries" { kind = "news", title = has { "电池", "batteries" }, star, tag "energy" }
rule "From the harbour" { kind = "news", author = is "Tobias Reed", categories = is "Town", star }

rule "EV under 20万" {
  kind = "car_type", energy = is "EV", price = below "20万", star, tag "shortlist",
}
rule "A plug and a tank" {
  kind = "car_type", energy = is { "PHEV", "EREV" }, price = between("12万", "21万"),
  star, tag "maybe",
}
rule "To be announced" {
  kind = "car_series", price = is "暂无报价", star, tag "watch",
}
rule "Small ranges" {
  kind = "car_series", price = all { at_least "5万", at_most "17万" }, star,
}

-- `stop` ends the run as `skip` does, and says that what was starred before is meant.
rule "Stop at jobs" { kind = "post", forum = is "Jobs", stop }
rule "Busy threads" { kind = "post", replies = above(30), likes = at_least(50), star, tag "busy" }
rule "My own words" {
  kind = "post",
  when = function(p)
    return p.likes and p.replies and p.likes > 2 * p.replies, "more than two likes a reply"
  end,
  star, tag "loved",
}
rule "How to choose" {
  kind = "post", title = any { has "怎么选", word "Ask HN" }, star, tag "advice",
}
rule "Fresh and small" {
  kind = "post", title = word "Lua", published = since "2026-11-28", likes = not_(above(100)), star,
}

rule "Quiet forums" { kind = "forum", topics = below(200), description = missing, star }
