// swift-tools-version: 6.2
import PackageDescription

/// A package of somebody else's: it sees what the products make public, and nothing more.
let package = Package(
  name: "starling-users",
  dependencies: [.package(name: "starling", path: "../..")],
  targets: [
    .executableTarget(
      name: "FavoritesUser",
      dependencies: [.product(name: "StarlingFavorites", package: "starling")]),
    // A favorites screen: tabs, a button with its two states, a page of cells, deletion, a restart.
    .executableTarget(
      name: "OriginScreen",
      dependencies: [.product(name: "StarlingFavorites", package: "starling")]),
    .executableTarget(
      name: "HostUser", dependencies: [.product(name: "Starling", package: "starling")]),
  ],
  swiftLanguageModes: [.v6]
)
