import StarlingModel

/// How apps call what the kinds have fields for. Names are compared in lower case, without `_`.
enum CoreDataNames {
  static let starredAt = [
    "starredat", "favoritedat", "favoritedate", "favdate", "savedat", "savedate", "addedat",
    "adddate", "addtime", "collectedat", "collecttime", "createdat", "createdate", "createtime",
    "timestamp",
  ]
  static let note = ["note", "memo", "remark"]

  /// The kind that an entity of this name becomes: the one of its name, or of what it usually means.
  static func kind(_ entity: String, _ kinds: [Kind]) -> Kind? {
    let name = plain(entity)
    if let own = kinds.first(where: { plain($0.name) == name }) { return own }
    let meant = entities.first { $0.names.contains(name) }?.kind
    return kinds.first { $0.name == meant }
  }

  /// The attributes that can be a field, the likeliest first.
  static func attributes(of field: String, _ kind: String) -> [String] {
    let own = plain(field)
    let key = keys[kind]?[field] ?? []
    return key + [own] + (usual[field] ?? [])
  }

  private static func plain(_ name: String) -> String {
    name.lowercased().filter { $0 != "_" }
  }

  private static let entities: [(kind: String, names: Set<String>)] = [
    ("news", ["news", "article", "newsitem"]),
    ("post", ["post", "topic", "thread"]),
    ("forum", ["forum", "board", "bbs", "club"]),
    ("car_type", ["type", "cartype", "model", "carmodel", "spec", "carspec"]),
    ("car_series", ["line", "carline", "series", "carseries"]),
  ]

  /// What stands before the field's own name: an id often goes by the name of something else.
  private static let keys: [String: [String: [String]]] = [
    "news": ["link": ["link", "url", "newsurl", "weburl", "href", "address"]],
    "post": ["id": ["postid", "topicid", "threadid", "tid", "pid"]],
    "forum": ["id": ["forumid", "postid", "bbsid", "boardid", "clubid", "fid"]],
    "car_type": ["uid": ["uid", "typeid", "specid", "modelid", "carid", "id"]],
    "car_series": ["id": ["seriesid", "lineid", "sid"]],
  ]

  private static let usual: [String: [String]] = [
    "title": ["name", "subject", "headline", "posttitle", "newstitle", "forumname"],
    "name": ["title", "typename", "seriesname", "linename", "modelname", "specname"],
    "url": ["link", "href", "weburl", "address", "posturl", "forumurl", "detailurl"],
    "image": [
      "img", "imageurl", "imgurl", "photo", "pic", "picture", "thumb", "thumbnail", "cover",
    ],
    "photo": ["img", "image", "imageurl", "imgurl", "pic", "picture", "logo", "cover", "thumb"],
    "summary": ["desc", "description", "intro", "abstract", "digest", "content"],
    "description": ["desc", "summary", "intro", "content"],
    "author": ["authorname", "username", "user", "poster", "writer"],
    "forum": ["forumname", "bbsname", "bbs", "board"],
    "series": ["seriesname", "linename", "line"],
    "energy": ["energytype", "fuel", "fueltype"],
    "brand": ["brandname"], "maker": ["manufacturer", "factory", "fctname"],
    "price": ["pricerange", "guideprice", "dealerprice", "pricetext", "minprice"],
    "published": [
      "pubdate", "publishdate", "publishtime", "publishedat", "pubtime", "postdate", "posttime",
      "date", "time",
    ],
    "updated": ["updatedat", "updatetime", "modified", "lastpost", "lastreply"],
    "replies": ["replycount", "replynum", "comments", "commentcount"],
    "likes": ["likecount", "praise"], "views": ["viewcount", "clicks", "clickcount", "hits"],
    "topics": ["topiccount", "threadcount", "postcount"],
  ]
}
