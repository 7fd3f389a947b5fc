import StarlingFavorites

/// What the app's feeds brought: nothing of it is stored until it is starred.
enum Catalog {
  static let site = "cars.example"

  static let news = (1...50).map { number in
    News(
      link: "https://news.example/\(number)", title: "News \(number)",
      author: number % 7 == 0 ? "An author" : nil, image: nil,
      published: Timestamp(secondsSinceEpoch: 1_780_000_000 + Int64(number) * 60))
  }

  static let posts = [
    Post(site: site, id: "101", title: "Winter range of the L6", forum: "智己论坛", replies: 12),
    Post(site: site, id: "007", title: "An id that is text", forum: "智己论坛", replies: nil),
    Post(site: site, id: "7", title: "An id that looks the same", forum: "智己论坛", replies: 3),
  ]

  static let forums = [Forum(site: site, id: "7", title: "智己论坛")]

  static let series = [
    CarSeries(site: site, id: "65", name: "智己L6", price: Money(parsing: "20.19-27.99万")),
    CarSeries(site: site, id: "66", name: "海豹", price: Money(parsing: "暂无报价")),
  ]

  static let types = [
    CarType(
      site: site, uid: "9007199254740993", name: "L6 Max", series: "智己L6",
      price: Money(parsing: "21.99万")),
    CarType(site: site, uid: "9007199254740992", name: "L6 Pro", series: "智己L6", price: nil),
  ]
}
