// swift-tools-version: 6.2
import PackageDescription

let settings: [SwiftSetting] = [
  .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("InternalImportsByDefault"),
]

// What a module tells the App Store of itself. Elsewhere it would be a bundle that nobody reads.
#if os(macOS)
  let privacy: [Resource] = [.copy("PrivacyInfo.xcprivacy")]
  let noPrivacy: [String] = []
#else
  let privacy: [Resource] = []
  let noPrivacy = ["PrivacyInfo.xcprivacy"]
#endif

/// What `Fixtures/service.py` is made of, and the tests of it.
let service = [
  "service.py", "wire.py", "answers.py", "hostile.py", "switches.py", "collection.py", "query.py",
  "dialect.py", "dialect_plain.py", "dialect_links.py", "dialect_envelope.py",
  "envelope_fields.py", "dialect_records.py", "records_query.py", "dialect_postgrest.py",
  "postgrest_query.py", "dialect_stripe.py", "dialect_airtable.py", "airtable_formula.py",
  "dialect_jsonapi.py", "dialect_firebase.py", "dialect_directus.py",
]
let serviceTests = [
  "test_service.py", "test_switches.py", "test_feed.py", "test_hostile.py", "test_links.py",
  "test_envelope.py",
  "test_records.py", "test_postgrest.py", "test_recipes.py",
]

/// The tests of some folders of what is tested; of all of them where none is named.
struct Part {
  var name: String
  var subject: String
  var folders: [String]?
  var uses: [String] = []
  var isOnMainActor = false
}

/// The tests, by the folders of `Tests` that each of them has, and by the names that people use.
///
/// `EVOCATION_PART` names those that a build is to have, by commas; the examples then stay out of it.
let parts = [
  Part(
    name: "Values", subject: "Evocation",
    folders: [
      "Vocabulary", "Internal", "Results", "Strategies", "Criteria", "Coding", "Schema", "Matching",
      "Memory",
    ]),
  Part(
    name: "Calls", subject: "Evocation",
    folders: [
      "Repositories", "Observing", "Writing", "Logging", "Activity", "Routing", "Presence",
      "Live", "Accounts", "Calls", "Inspecting",
    ]),
  Part(name: "Caching", subject: "Evocation", folders: ["Caching", "Freshness"]),
  Part(name: "Paging", subject: "Evocation", folders: ["Lists"]),
  Part(
    name: "Outbox", subject: "Evocation", folders: ["Outbox", "Queueing"],
    uses: ["Convergence", "Fixtures"]),
  Part(
    name: "Store", subject: "EvocationSQLite",
    folders: ["Mapping", "Queries", "Database", "Schema", "Repository", "Migrations"]),
  Part(
    name: "Files", subject: "EvocationSQLite",
    folders: ["Connections", "Watching", "Accounts", "Maintenance"]),
  Part(name: "Lists", subject: "EvocationSQLite", folders: ["Ledger", "Lists"]),
  Part(
    name: "SQLiteOutbox", subject: "EvocationSQLite", folders: ["Outbox"], uses: ["EvocationHTTP"]),
  Part(name: "HTTP", subject: "EvocationHTTP"),
  Part(name: "Testing", subject: "EvocationTesting"),
  Part(name: "Documentation", subject: "Documentation"),
  Part(name: "Reader", subject: "Reader"),
  Part(name: "Notes", subject: "Notes"),
  Part(name: "MainActorApp", subject: "MainActorApp", isOnMainActor: true),
  Part(name: "Fixtures", subject: "Fixtures"),
  Part(name: "Golden", subject: "Golden"),
  // Only where it is named: it needs the services that `scripts/test-services` starts.
  Part(name: "Services", subject: "Services", uses: ["Reader"]),
]

/// What the tests of a subject stand on.
func used(_ subject: String) -> [String] {
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
  case "Notes":
    [
      "NotesModel", "Evocation", "EvocationHTTP", "EvocationTesting", "Fixtures", "TestSupport",
    ]
  case "MainActorApp": ["Evocation", "EvocationTesting"]
  case "Golden":
    ["Evocation", "EvocationSQLite", "EvocationTesting", "TestSupport", "SQLiteSupport"]
  case "Services":
    [
      "Evocation", "EvocationHTTP", "EvocationSQLite", "EvocationTesting", "Fixtures",
      "TestSupport",
    ]
  default: [subject]
  }
}

let tests: [Target] = parts.map { part in
  // What belongs to the other parts of the folder, and to what helps them.
  let others = parts.filter { $0.subject == part.subject && $0.name != part.name }
  let exclude =
    others.flatMap { $0.folders ?? [] } + (others.isEmpty ? [] : ["Support"])
    + (part.name == "Golden" ? ["Expected"] : [])
  return .testTarget(
    name: "\(part.name)Tests",
    dependencies: (used(part.subject) + part.uses + ["TestTraits"]).map { .byName(name: $0) },
    path: "Tests/\(part.subject)", exclude: exclude, sources: part.folders,
    swiftSettings: settings + (part.isOnMainActor ? [.defaultIsolation(MainActor.self)] : []))
}

let targets: [Target] =
  [
    .target(
      name: "Evocation", exclude: noPrivacy, resources: privacy, swiftSettings: settings),
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
      exclude: ["CEvocationSQLite"] + noPrivacy,
      resources: privacy,
      swiftSettings: settings
    ),
    .target(name: "EvocationHTTP", dependencies: ["Evocation"], swiftSettings: settings),
    .target(name: "EvocationTesting", dependencies: ["Evocation"], swiftSettings: settings),
    .target(
      name: "Fixtures",
      path: "Fixtures",
      exclude: ["README.md", "real"] + serviceTests,
      resources: (["cars.json", "airports.csv", "databases"] + service).map { .copy($0) },
      swiftSettings: settings
    ),
    // The first sample of the README, a whole program.
    .executableTarget(
      name: "Quick",
      dependencies: ["Evocation"],
      path: "Examples/Quick",
      exclude: ["expected.txt"],
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
      exclude: ["expected.txt", "expected-live.txt"],
      swiftSettings: settings
    ),
    // Its views are built on Apple platforms alone, by the package in `Examples/Notes`.
    .target(
      name: "NotesModel",
      dependencies: ["Evocation", "EvocationSQLite", "EvocationHTTP"],
      path: "Examples/Notes/Model",
      swiftSettings: settings
    ),
    // As its reader builds it, who has none of these settings.
    .executableTarget(
      name: "Tutorial",
      dependencies: ["Evocation", "EvocationSQLite", "EvocationHTTP"],
      path: "Examples/Tutorial"
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
      dependencies: ["Evocation", "EvocationSQLite", "EvocationTesting", "TestSupport"],
      path: "Tests/Convergence",
      swiftSettings: settings
    ),
    .executableTarget(
      name: "Transcripts",
      dependencies: [
        "Evocation", "EvocationSQLite", "EvocationTesting", "SQLiteSupport", "TestSupport",
      ],
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
  targets: targets.filter {
    built?.contains($0.name) ?? !["Transcripts", "ServicesTests"].contains($0.name)
  },
  swiftLanguageModes: [.v6]
)
