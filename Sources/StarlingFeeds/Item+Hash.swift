package import StarlingModel

extension Item {
  /// What stands for all that an item says, its place in the document left out.
  package var contentHash: ContentHash {
    var hash = ContentHash()
    hash.add(bytes.span)
    for range in fields { hash.add(range) }
    for time in [published, updated] {
      hash.add(UInt64(bitPattern: time?.secondsSinceEpoch ?? .min))
    }
    hash.add(authors.count)
    for author in authors {
      for range in [author.name, author.email, author.url] { hash.add(range) }
    }
    hash.add(categories.count)
    for range in categories { hash.add(range) }
    hash.add(enclosures.count)
    for enclosure in enclosures {
      hash.add(enclosure.url)
      hash.add(enclosure.type)
      hash.add(UInt64(bitPattern: enclosure.length ?? .min))
    }
    hash.add(links.count)
    for link in links { for range in [link.href, link.rel, link.type] { hash.add(range) } }
    hash.add(elements.count)
    for element in elements {
      hash.add(element.name)
      hash.add(element.text)
      hash.add(element.attributes)
      hash.add(element.end)
    }
    for attribute in attributes {
      hash.add(attribute.name)
      hash.add(attribute.value)
    }
    return hash
  }
}
