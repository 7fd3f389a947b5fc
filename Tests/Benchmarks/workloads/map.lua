-- What the limit program maps with: the news plugin's fields, and nothing that guards them.
return function(item)
  return {
    kind = "news",
    link = item.url,
    title = item.title,
    summary = item.summary,
    author = item.author,
    image = item.image,
    categories = item.categories,
    published = item.published,
  }
end
