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

/// The tests, by the folders of `Tests` that each of them has, and by the names that people use.
///
/// `EVOCATION_PART` names those that a build is to have, by commas; the examples then stay out of it.
let tests: [Target] = [
  tests(
    "Values", of: "Evocation",
    [
      "Vocabulary", "Internal", "Results", "Strategies", "Criteria", "Schema", "Matching", "Memory",
    ]),
  tests(
    "Calls", of: "Evocation",
    [
      "Repositories", "Observing", "Writing", "Logging", "Activity", "Routing", "Presence",
      "Accounts",
      "Calls",
    ]),
  tests("Caching", of: "Evocation", ["Caching"]),
  tests("Paging", of: "Evocation", ["Lists"]),
  tests("Outbox", of: "Evocation", ["Outbox"], using: ["Convergence", "Fixtures"]),
  tests(
    "Store", of: "EvocationSQLite",
    [
      "Mapping", "Queries", "Database", "Schema", "Repository", "Migrations",
    ]),
  tests(
    "Files", of: "EvocationSQLite",
    [
      "Connections", "Watching", "Accounts", "Maintenance",
    ]),
  tests("Lists", of: "EvocationSQLite", ["Ledger", "Lists"]),
  tests("SQLiteOutbox", of: "EvocationSQLite", ["Outbox"]),
  tests("HTTP", of: "EvocationHTTP"),
  tests("Testing", of: "EvocationTesting"),
  tests("Documentation", of: "Documentation"),
  tests("Reader", of: "Reader"),
  tests("MainActorApp", of: "MainActorApp", isOnMainActor: true),
  tests("Fixtures", of: "Fixtures"),
  tests("Golden", of: "Golden"),
]

/// The tests of some folders of what is tested; of all of them where none is named.
func tests(
  _ part: String, of subject: String, _ folders: [String]? = nil, using more: [String] = [],
  isOnMainActor: Bool = false
) -> Target {
  let used: [String] =
    switch subject {
    case "Evocation": ["Evocation", "EvocationTesting", "TestSupport", "CoreSupport"]
    case "EvocationSQLite":
      [
        "EvocationSQLite", "EvocationTesting", "Fixtures", "SQLiteChild", "TestSupport",
        "SQLiteSupport", "CEvocationSQLite",
      ]
    case "EvocationHTTP":
      [
        "EvocationHTTP", "EvocationSQLite", "EvocationTesting", "Fixtures", "TransportSuite",
        "TestSupport",
      ]
    case "EvocationTesting": ["Evocation", "EvocationTesting", "TestSupport"]
    case "Documentation":
      [
        "Evocation", "EvocationHTTP", "EvocationSQLite", "EvocationTesting", "Fixtures",
        "TestSupport",
      ]
    case "Reader": ["Reader", "Evocation", "Fixtures"]
    case "MainActorApp": ["Evocation", "EvocationTesting"]
    case "Golden":
      ["Evocation", "EvocationSQLite", "EvocationTesting", "TestSupport", "SQLiteSupport"]
    default: [subject]
    }
  return .testTarget(
    name: "\(part)Tests", dependencies: (used + more + ["TestTraits"]).map { .byName(name: $0) },
    path: "Tests/\(subject)", exclude: subject == "Golden" ? ["Expected"] : [], sources: folders,
    swiftSettings: settings + (isOnMainActor ? [.defaultIsolation(MainActor.self)] : []))
}

let targets: [Target] =
  [
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
      dependencies: ["Evocation", "EvocationTesting"],
      path: "Tests/TestSupport",
      swiftSettings: settings
    ),
    // Apart from the support, which processes of tests stand on that have no `Testing`.
    .target(
      name: "TestTraits",
      dependencies: ["TestSupport"],
      path: "Tests/TestTraits",
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
    .executableTarget(
      name: "Transcripts",
      dependencies: ["Evocation", "EvocationSQLite", "EvocationTesting", "SQLiteSupport"],
      path: "Tests/Transcripts",
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
    .target(
      name: "CoreSupport",
      dependencies: ["Evocation", "EvocationTesting"],
      path: "Tests/Evocation/Support",
      swiftSettings: settings
    ),
    .target(
      name: "SQLiteSupport",
      dependencies: [
        "Evocation", "EvocationSQLite", "EvocationTesting", "Fixtures", "TestSupport",
        "CEvocationSQLite",
      ],
      path: "Tests/EvocationSQLite/Support",
      swiftSettings: settings
    ),
  ] + tests

/// What one of the targets stands on, itself included.
@MainActor func needed(_ name: String) -> Set<String> {
  guard let target = targets.first(where: { $0.name == name }) else { return [] }
  return target.dependencies.reduce(into: [name]) { names, dependency in
    guard case .byNameItem(let name, _) = dependency else { return }
    names.formUnion(needed(name))
  }
}

let libraries = ["Evocation", "EvocationSQLite", "EvocationHTTP", "EvocationTesting"]
/// What a build has: everything, or what the parts and targets that were asked for need.
let built: Set<String>? = Context.environment["EVOCATION_PART"].map { parts in
  parts.split(separator: ",").reduce(into: []) { names, part in
    names.formUnion(needed("\(part)Tests"))
    names.formUnion(needed(String(part)))
  }
}
let products: [Product] =
  libraries.map { .library(name: $0, targets: [$0]) } + [
    // What a transport has to bear, for `Examples/Server`, which puts another in URLSession's place.
    .library(name: "TransportSuite", targets: ["TransportSuite", "Fixtures"]),
    .executable(name: "garage", targets: ["Garage"]),
    .executable(name: "reader", targets: ["Reader"]),
  ]

let package = Package(
  name: "Evocation",
  platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
  products: products.filter { product in
    guard let built else { return true }
    return switch product {
    case let library as Product.Library: built.isSuperset(of: library.targets)
    case let executable as Product.Executable: built.isSuperset(of: executable.targets)
    default: true
    }
  },
  // `Transcripts` looks into `SQLiteSupport`, which a release build does not let it.
  targets: targets.filter { built?.contains($0.name) ?? ($0.name != "Transcripts") },
  swiftLanguageModes: [.v6]
)
