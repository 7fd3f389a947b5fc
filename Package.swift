// swift-tools-version: 6.2
import PackageDescription

/// The same settings for every target, so that the compiler holds the layers: a C type in a public
/// signature, an implicit import or an unmarked unsafe use does not compile.
let strict: [SwiftSetting] = [
  .strictMemorySafety(),
  .treatAllWarnings(as: .error),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("MemberImportVisibility"),
]

/// Tests reach into C to break things on purpose; they keep the warnings but not the `unsafe` marks.
let relaxed: [SwiftSetting] = [
  .treatAllWarnings(as: .error),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("MemberImportVisibility"),
]

func library(_ name: String, _ dependencies: [Target.Dependency] = []) -> Target {
  .target(name: name, dependencies: dependencies, swiftSettings: strict)
}

func tests(
  _ name: String, _ dependencies: [Target.Dependency] = [], exclude: [String] = []
) -> Target {
  .testTarget(
    name: name + "Tests",
    dependencies: [.byName(name: name)] + dependencies,
    exclude: exclude,
    swiftSettings: relaxed)
}

func system(_ name: String, pkgConfig: String, apt: String) -> Target {
  .systemLibrary(name: name, pkgConfig: pkgConfig, providers: [.apt([apt])])
}

let package = Package(
  name: "starling",
  products: [
    .library(name: "Starling", targets: ["Starling", "StarlingModel", "StarlingFavorites"]),
    .library(name: "StarlingFavorites", targets: ["StarlingFavorites", "StarlingModel"]),
    .executable(name: "starling", targets: ["starling-cli"]),
  ],
  targets: [
    // C libraries of the system.
    system("CLua54", pkgConfig: "lua5.4", apt: "liblua5.4-dev"),
    system("CSQLite3", pkgConfig: "sqlite3", apt: "libsqlite3-dev"),
    // The C and C++ of the project.
    .target(name: "CLuaShim", dependencies: ["CLua54"]),
    .target(
      name: "CSimdjson",
      linkerSettings: [.linkedLibrary("simdjson")]),
    // From plain values up to the command.
    library("StarlingModel", ["CPCRE2"]),
    library("StarlingLua", ["CLua54", "CLuaShim", "StarlingModel"]),
    library("StarlingSQLite", ["CSQLite3", "StarlingModel"]),
    library("StarlingFeeds", ["CXML2", "CSimdjson", "StarlingModel"]),
    library("StarlingFetch", ["CCurl", "StarlingModel"]),
    library("StarlingFavorites", ["StarlingSQLite", "StarlingModel"]),
    library(
      "Starling",
      ["StarlingLua", "StarlingFavorites", "StarlingFeeds", "StarlingFetch", "StarlingModel"]),
    library("StarlingTool", ["CEdit", "Starling", "StarlingFavorites", "StarlingModel"]),
    .executableTarget(
      name: "starling-cli", dependencies: ["StarlingTool"], swiftSettings: strict),
    // What `make bench` measures from inside; not a product.
    .executableTarget(
      name: "starling-bench",
      dependencies: [
        "Starling", "StarlingFavorites", "StarlingFeeds", "StarlingLua", "StarlingModel",
      ],
      path: "Tests/Benchmarks/starling-bench", swiftSettings: strict),
    // A process that is killed at work, and the one that kills it: `make crash`; not a product.
    .executableTarget(
      name: "starling-crash",
      dependencies: ["StarlingFavorites", "StarlingModel", "StarlingSQLite"],
      path: "Tests/Crash/starling-crash", swiftSettings: relaxed),
    // The decoders under random bytes: `make fuzz`.
    .executableTarget(
      name: "starling-fuzz", dependencies: ["StarlingFeeds", "StarlingModel"],
      path: "Tests/Fuzz/starling-fuzz", swiftSettings: strict),
    // Random Lua, compared with stock Lua and thrown at the host: `make fuzz` and the tests.
    .target(
      name: "LuaFuzz", dependencies: ["CLua54", "Starling", "StarlingFavorites", "StarlingLua"],
      path: "Tests/Fuzz/LuaFuzz", swiftSettings: relaxed),
    .executableTarget(
      name: "starling-fuzz-lua", dependencies: ["LuaFuzz"], path: "Tests/Fuzz/starling-fuzz-lua",
      swiftSettings: relaxed),
    // libcurl, libpcre2 and libxml2 are loaded on first use, so these have headers and no link
    // directive.
    .target(name: "CCurl"),
    .target(name: "CPCRE2"),
    .target(name: "CXML2"),
    .target(name: "CEdit"),
    // What several test targets use.
    .target(name: "StarlingTestSupport", path: "Tests/Support", swiftSettings: relaxed),
    // Tests, one target a module.
    tests("StarlingModel"),
    tests(
      "StarlingLua", ["CLua54", "CLuaShim", "LuaFuzz", "StarlingModel", "StarlingTestSupport"]),
    tests("StarlingSQLite", ["CSQLite3", "StarlingModel"]),
    tests("StarlingFeeds", ["StarlingModel"], exclude: ["Fixtures"]),
    tests("StarlingFetch", ["StarlingModel", "StarlingTestSupport"]),
    tests("StarlingFavorites", ["StarlingSQLite", "StarlingModel"], exclude: ["Fixtures"]),
    tests(
      "Starling",
      [
        "LuaFuzz", "StarlingLua", "StarlingFavorites", "StarlingFeeds", "StarlingModel",
        "StarlingTestSupport",
      ],
      exclude: ["Fixtures"]),
    tests(
      "StarlingTool", ["Starling", "StarlingFavorites", "StarlingModel", "StarlingSQLite"],
      exclude: ["Fixtures"]),
  ],
  swiftLanguageModes: [.v6],
  cxxLanguageStandard: .cxx17
)
