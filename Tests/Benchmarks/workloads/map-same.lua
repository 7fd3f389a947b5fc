-- What `load -s` maps with: as the news plugin, plain texts and an address that stays the same.
return function(item)
  return {
    kind = "news",
    link = url.canonical(item.url),
    title = text.plain(item.title),
    summary = text.plain(item.summary),
    author = item.author,
    image = item.image,
    categories = item.categories,
    published = item.published,
  }
end
