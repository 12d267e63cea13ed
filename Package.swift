// swift-tools-version: 6.2
import PackageDescription

let settings: [SwiftSetting] = [
  .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("InternalImportsByDefault"),
]

/// What `Fixtures/service.py` is made of, and the tests of it.
let service = [
  "service.py", "wire.py", "answers.py", "hostile.py", "switches.py", "collection.py", "query.py",
  "dialect.py", "dialect_plain.py", "dialect_links.py", "dialect_envelope.py",
  "envelope_fields.py", "dialect_records.py", "records_query.py", "dialect_postgrest.py",
  "postgrest_query.py",
]
let serviceTests = [
  "test_service.py", "test_switches.py", "test_hostile.py", "test_links.py", "test_envelope.py",
  "test_records.py", "test_postgrest.py",
]

let package = Package(
  name: "Evocation",
  platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
  products: [
    .library(name: "Evocation", targets: ["Evocation"]),
    .library(name: "EvocationSQLite", targets: ["EvocationSQLite"]),
    .library(name: "EvocationHTTP", targets: ["EvocationHTTP"]),
    .library(name: "EvocationTesting", targets: ["EvocationTesting"]),
    // What a transport has to bear, for `Examples/Server`, which puts another in URLSession's place.
    .library(name: "TransportSuite", targets: ["TransportSuite", "Fixtures"]),
    .executable(name: "garage", targets: ["Garage"]),
    .executable(name: "reader", targets: ["Reader"]),
  ],
  targets: [
    .target(name: "Evocation", swiftSettings: settings),
    // The system's own, on Apple platforms too: their `SQLite3` would be another import in each file.
    .systemLibrary(
      name: "CEvocationSQLite",
      path: "Sources/EvocationSQLite/CEvocationSQLite",
      providers: [.apt(["libsqlite3-dev"]), .brew(["sqlite"])]
    ),
    .target(
      name: "EvocationSQLite",
      dependencies: [
        "Evocation", "CEvocationSQLite",
      ],
      exclude: ["CEvocationSQLite"],
      swiftSettings: settings
    ),
    .target(name: "EvocationHTTP", dependencies: ["Evocation"], swiftSettings: settings),
    .target(name: "EvocationTesting", dependencies: ["Evocation"], swiftSettings: settings),
    .target(
      name: "Fixtures",
      path: "Fixtures",
      exclude: ["README.md"] + serviceTests,
      resources: (["cars.json", "airports.csv", "databases"] + service).map { .copy($0) },
      swiftSettings: settings
    ),
    .executableTarget(
      name: "Garage",
      dependencies: ["Evocation", "EvocationSQLite", "EvocationHTTP", "Fixtures"],
      path: "Examples/Garage",
      exclude: ["expected.txt"],
      resources: [.copy("strategy.json")],
      swiftSettings: settings
    ),
    .executableTarget(
      name: "Reader",
      dependencies: ["Evocation", "EvocationSQLite", "EvocationHTTP", "Fixtures"],
      path: "Examples/Reader",
      exclude: ["expected.txt"],
      swiftSettings: settings
    ),
    .target(
      name: "TestSupport",
      dependencies: ["Evocation"],
      path: "Tests/TestSupport",
      swiftSettings: settings
    ),
    .target(
      name: "TransportSuite",
      dependencies: ["Evocation", "EvocationHTTP", "EvocationTesting", "Fixtures"],
      path: "Tests/TransportSuite",
      swiftSettings: settings
    ),
    .executableTarget(
      name: "Convergence",
      dependencies: ["Evocation", "EvocationTesting"],
      path: "Tests/Convergence",
      swiftSettings: settings
    ),
    .testTarget(
      name: "EvocationTests",
      dependencies: ["Convergence", "Evocation", "EvocationTesting", "Fixtures", "TestSupport"],
      swiftSettings: settings
    ),
    .executableTarget(
      name: "SQLiteChild",
      dependencies: [
        "Evocation", "EvocationSQLite", "EvocationHTTP", "EvocationTesting", "TestSupport",
        "CEvocationSQLite",
      ],
      path: "Tests/SQLiteChild",
      swiftSettings: settings
    ),
    .testTarget(
      name: "EvocationSQLiteTests",
      dependencies: [
        "EvocationSQLite", "EvocationTesting", "Fixtures", "SQLiteChild", "TestSupport",
        "CEvocationSQLite",
      ],
      swiftSettings: settings
    ),
    .testTarget(
      name: "ReaderTests",
      dependencies: ["Reader", "Evocation", "Fixtures"],
      swiftSettings: settings
    ),
    .testTarget(
      name: "DocumentationTests",
      dependencies: [
        "Evocation", "EvocationHTTP", "EvocationSQLite", "EvocationTesting", "Fixtures",
      ],
      swiftSettings: settings
    ),
    .testTarget(
      name: "EvocationTestingTests",
      dependencies: ["Evocation", "EvocationTesting", "TestSupport"],
      swiftSettings: settings
    ),
    .testTarget(
      name: "MainActorAppTests",
      dependencies: ["Evocation", "EvocationTesting"],
      swiftSettings: settings + [.defaultIsolation(MainActor.self)]
    ),
    .testTarget(
      name: "EvocationHTTPTests",
      dependencies: [
        "EvocationHTTP", "EvocationSQLite", "EvocationTesting", "Fixtures", "TransportSuite",
      ],
      swiftSettings: settings
    ),
    .testTarget(name: "FixturesTests", dependencies: ["Fixtures"], swiftSettings: settings),
  ],
  swiftLanguageModes: [.v6]
)
