// The host, with Foundation beside it as in an app: both have a `Host`.
import Foundation
import Starling

typealias Host = Starling.Host

struct Reading: FavoriteEntity {
  static let kind = "reading"
  static let key = Kind.KeyRule.fields(["sensor"])

  var sensor: String
  var celsius: Double
}

var configuration = Host.Configuration(database: .memory)
try configuration.declare([Reading.self])
try configuration.add(
  AppFunction(
    "sensors.read", [.required("name", .string, "the sensor's name")],
    returns: [ApiResult(type: .number, help: "degrees Celsius")], help: "Reads a sensor."
  ) { call in
    [.number(call[1].text == "roof" ? 31.5 : 20)]
  })
let host = Host(configuration)
let store = try host.store()
for sensor in ["roof", "hall"] { try store.insert(Reading(sensor: sensor, celsius: 0)) }
try host.run(
  Script([
    .code(
      """
      for e in favorites.each("reading", { order = "sensor" }) do
        favorites.insert("reading", { sensor = e.sensor, celsius = sensors.read(e.sensor) })
      end
      """)
  ]))
let warm = try store.fetch(Reading.self, where: host.condition(parsing: "celsius = above(30)"))
print(warm.map(\.value.sensor), host.help("sensors.read") ?? "")
