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

/// The names of dependencies.
func names(_ text: String) -> [Target.Dependency] {
  text.split(separator: " ").map { .byName(name: String($0)) }
}

/// A floor of `Sources/Evocation`: a target, which stands on those that it names.
func floor(_ name: String, on others: String = "") -> Target {
  .target(
    name: "Evocation\(name)", dependencies: names(others), path: "Sources/Evocation/\(name)",
    swiftSettings: settings)
}

/// The tests of a target, in the folder with the name of its folder.
func tests(
  _ name: String, in folder: String? = nil, on others: String, exclude: [String] = [],
  _ more: [SwiftSetting] = []
) -> Target {
  .testTarget(
    name: "\(name)Tests", dependencies: names(others + " TestSupport TestTraits"),
    path: "Tests/\(folder ?? name)", exclude: exclude, swiftSettings: settings + more)
}

/// Code that tests and examples stand on.
func support(_ name: String, in path: String, on others: String) -> Target {
  .target(name: name, dependencies: names(others), path: path, swiftSettings: settings)
}

/// A program in a folder of examples or of tests.
func program(
  _ name: String, in path: String, on others: String, exclude: [String] = [],
  resources: [Resource] = [], _ settings: [SwiftSetting] = settings
) -> Target {
  .executableTarget(
    name: name, dependencies: names(others), path: path, exclude: exclude, resources: resources,
    swiftSettings: settings)
}

// What `Fixtures/service.py` is made of, and the tests of it. They are named, because a manifest is also
// read where there is no folder yet: in the repository of a dependency.
let service = """
  airtable_formula answers collection dialect dialect_airtable dialect_directus dialect_envelope \
  dialect_firebase dialect_jsonapi dialect_links dialect_plain dialect_postgrest dialect_records \
  dialect_stripe envelope_fields hostile postgrest_query query records_query service switches \
  wire
  """
let serviceTests = "envelope feed hostile links postgrest recipes records service switches"

/// The files of Python that a text names.
func scripts(_ names: String, _ prefix: String = "") -> [String] {
  names.split(separator: " ").map { "\(prefix)\($0).py" }
}

let core = "Evocation EvocationTesting"
let stores = "Evocation EvocationSQLite EvocationHTTP"

let sources: [Target] = [
  floor("Values"),
  floor("Stores", on: "EvocationValues"),
  floor("Calls", on: "EvocationStores"),
  floor("Outbox", on: "EvocationCalls"),
  floor("Caching", on: "EvocationCalls"),
  // What an app imports: the floors, and what needs all of them.
  .target(
    name: "Evocation", dependencies: names("EvocationOutbox EvocationCaching"),
    exclude: ["Values", "Stores", "Calls", "Outbox", "Caching"] + noPrivacy,
    sources: ["Evocation", "Live", "Inspecting"], resources: privacy, swiftSettings: settings),
  // The system's own, on Apple platforms too: their `SQLite3` would be another import in each file.
  .systemLibrary(
    name: "CEvocationSQLite", path: "Sources/EvocationSQLite/CEvocationSQLite",
    providers: [.apt(["libsqlite3-dev"]), .brew(["sqlite"])]),
  .target(
    name: "EvocationSQLite", dependencies: names("Evocation CEvocationSQLite"),
    exclude: ["CEvocationSQLite"] + noPrivacy, resources: privacy, swiftSettings: settings),
  .target(name: "EvocationHTTP", dependencies: ["Evocation"], swiftSettings: settings),
  .target(name: "EvocationTesting", dependencies: ["Evocation"], swiftSettings: settings),
]

let examples: [Target] = [
  // The first sample of the README, a whole program.
  program("Quick", in: "Examples/Quick", on: "Evocation", exclude: ["expected.txt"]),
  program(
    "Garage", in: "Examples/Garage", on: "\(stores) Fixtures", exclude: ["expected.txt"],
    resources: [.copy("strategy.json")]),
  program(
    "Reader", in: "Examples/Reader", on: "\(stores) Fixtures",
    exclude: ["expected.txt", "expected-live.txt"]),
  // Its views are built on Apple platforms alone, by the package in `Examples/Notes`.
  support("NotesModel", in: "Examples/Notes/Model", on: stores),
  // As its reader builds it, who has none of these settings.
  program("Tutorial", in: "Examples/Tutorial", on: stores, []),
]

let helpers: [Target] = [
  .target(
    name: "Fixtures", path: "Fixtures",
    exclude: ["README.md", "real"] + scripts(serviceTests, "test_"),
    resources: (["cars.json", "airports.csv", "databases"] + scripts(service)).map { .copy($0) },
    swiftSettings: settings),
  support("TestSupport", in: "Tests/TestSupport", on: core),
  // Apart from the support, which processes of tests stand on that have no `Testing`.
  support("TestTraits", in: "Tests/TestTraits", on: "TestSupport"),
  support("CoreSupport", in: "Tests/Evocation/Support", on: core),
  support(
    "SQLiteSupport", in: "Tests/EvocationSQLite/Support",
    on: "\(core) EvocationSQLite Fixtures TestSupport CEvocationSQLite"),
  support("TransportSuite", in: "Tests/TransportSuite", on: "\(core) EvocationHTTP Fixtures"),
  program("Convergence", in: "Tests/Convergence", on: "\(core) EvocationSQLite TestSupport"),
  program(
    "SQLiteChild", in: "Tests/SQLiteChild",
    on: "\(stores) EvocationTesting TestSupport CEvocationSQLite"),
  program(
    "Transcripts", in: "Tests/Transcripts", on: "\(core) EvocationSQLite SQLiteSupport TestSupport"),
]

let floors = "EvocationValues EvocationStores EvocationCalls EvocationOutbox EvocationCaching"
let allTests: [Target] =
  ["Values", "Stores", "Calls", "Caching", "Live", "Inspecting", "Evocation"].map {
    tests(
      $0 == "Evocation" ? $0 : "Evocation\($0)", in: "Evocation/\($0)",
      on: "\(core) CoreSupport \(floors)")
  } + [
    tests(
      "EvocationOutbox", in: "Evocation/Outbox",
      on: "\(core) CoreSupport \(floors) Convergence Fixtures"),
    tests(
      "EvocationSQLite",
      on:
        "\(stores) EvocationTesting Fixtures SQLiteChild SQLiteSupport CEvocationSQLite \(floors)",
      exclude: ["Support"]),
    tests("EvocationHTTP", on: "\(stores) EvocationTesting Fixtures TransportSuite \(floors)"),
    tests("EvocationTesting", on: "\(core) \(floors)"),
    tests("Documentation", on: "\(stores) EvocationTesting Fixtures"),
    tests("Reader", on: "Reader Evocation Fixtures"),
    tests("Notes", on: "NotesModel Evocation EvocationHTTP EvocationTesting Fixtures"),
    tests("MainActorApp", on: core, [.defaultIsolation(MainActor.self)]),
    tests("Fixtures", on: "Fixtures"),
    tests("Golden", on: "\(core) EvocationSQLite SQLiteSupport", exclude: ["Expected"]),
    // Only where it is named: it needs the services that `scripts/test-services` starts.
    tests("Services", on: "\(stores) EvocationTesting Fixtures Reader"),
  ]

/// Whether a build has a target of tests: if `EVOCATION_PART` names it, or its target, by commas.
func isBuilt(_ target: Target) -> Bool {
  guard let parts = Context.environment["EVOCATION_PART"]?.split(separator: ",") else {
    // `Transcripts` looks into `SQLiteSupport`, which a release build does not let it.
    return !["ServicesTests", "Transcripts"].contains(target.name)
  }
  return !(target.type == .test || target.name == "Transcripts")
    || parts.contains { ["\($0)Tests", "Evocation\($0)Tests", "\($0)"].contains(target.name) }
}

let package = Package(
  name: "Evocation",
  platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
  products: ["Evocation", "EvocationSQLite", "EvocationHTTP", "EvocationTesting"].map {
    .library(name: $0, targets: [$0])
  } + [
    // What a transport has to bear, for `Examples/Server`, which puts another in URLSession's place.
    .library(name: "TransportSuite", targets: ["TransportSuite", "Fixtures"]),
    .executable(name: "garage", targets: ["Garage"]),
    .executable(name: "reader", targets: ["Reader"]),
  ],
  targets: (sources + examples + helpers + allTests).filter(isBuilt),
  swiftLanguageModes: [.v6]
)
