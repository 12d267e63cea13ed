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
  let privacy: (resources: [Resource], excluded: [String]) = ([.copy("PrivacyInfo.xcprivacy")], [])
#else
  let privacy: (resources: [Resource], excluded: [String]) = ([], ["PrivacyInfo.xcprivacy"])
#endif

func names(_ text: String) -> [Target.Dependency] {
  text.split(separator: " ").map { .byName(name: String($0)) }
}

/// A library, or code that tests and examples stand on.
func code(_ name: String, in path: String? = nil, on others: String = "") -> Target {
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

/// The tests of a target, in the folder with the name of its folder.
func tests(
  _ name: String, in folder: String? = nil, on others: String, exclude: [String] = [],
  _ more: [SwiftSetting] = []
) -> Target {
  .testTarget(
    name: "\(name)Tests", dependencies: names(others + " TestSupport TestTraits"),
    path: "Tests/\(folder ?? name)", exclude: exclude, swiftSettings: settings + more)
}

let core = "Evocation EvocationTesting"
let inner = "\(core) CoreSupport"
let stores = "Evocation EvocationSQLite EvocationHTTP"
let live = stores + " EvocationLive Fixtures"
let all = live + " EvocationInspection EvocationTesting"

let sources: [Target] = [
  code("EvocationValues", in: "Sources/Evocation/Values"),
  code("EvocationStores", in: "Sources/Evocation/Stores", on: "EvocationValues"),
  code("EvocationCalls", in: "Sources/Evocation/Calls", on: "EvocationStores"),
  code("EvocationOutbox", in: "Sources/Evocation/Outbox", on: "EvocationCalls"),
  code("EvocationCaching", in: "Sources/Evocation/Caching", on: "EvocationCalls"),
  // What an app imports: the floors above, and what needs all of them.
  .target(
    name: "Evocation", dependencies: names("EvocationOutbox EvocationCaching"),
    exclude: ["Values", "Stores", "Calls", "Outbox", "Caching"] + privacy.excluded,
    sources: ["Evocation"], resources: privacy.resources, swiftSettings: settings),
  // The system's own, on Apple platforms too: their `SQLite3` would be another import in each file.
  .systemLibrary(
    name: "CEvocationSQLite", path: "Sources/EvocationSQLite/CEvocationSQLite",
    providers: [.apt(["libsqlite3-dev"]), .brew(["sqlite"])]),
  .target(
    name: "EvocationSQLite", dependencies: names("Evocation CEvocationSQLite"),
    exclude: ["CEvocationSQLite"] + privacy.excluded, resources: privacy.resources,
    swiftSettings: settings),
  code("EvocationHTTP", on: "Evocation"),
  code("EvocationLive", on: "Evocation"),
  code("EvocationInspection", on: "Evocation"),
  code("EvocationTesting", on: "Evocation"),
]

let helpers: [Target] = [
  // The first sample of the README, a whole program.
  program("Quick", in: "Examples/Quick", on: "Evocation", exclude: ["expected.txt"]),
  program(
    "Garage", in: "Examples/Garage", on: live, exclude: ["expected.txt"],
    resources: [.copy("strategy.json")]),
  program(
    "Reader", in: "Examples/Reader", on: live, exclude: ["expected.txt", "expected-live.txt"]),
  // Its views are built on Apple platforms alone, by the package in `Examples/Notes`.
  code("NotesModel", in: "Examples/Notes/Model", on: stores),
  // As its reader builds it, who has none of these settings.
  program("Tutorial", in: "Examples/Tutorial", on: stores, []),
  .target(
    name: "Fixtures", path: "Fixtures", exclude: ["README.md", "real"],
    resources: ["cars.json", "airports.csv", "databases", "service"].map { .copy($0) },
    swiftSettings: settings),
  code("TestSupport", in: "Tests/TestSupport", on: core),
  // Apart from the support, which processes of tests stand on that have no `Testing`.
  code("TestTraits", in: "Tests/TestTraits", on: "TestSupport"),
  code("CoreSupport", in: "Tests/Evocation/Support", on: core),
  code("SQLiteSupport", in: "Tests/EvocationSQLite/Support", on: "\(all) TestSupport"),
  code("TransportSuite", in: "Tests/TransportSuite", on: "\(core) EvocationHTTP Fixtures"),
  program("Convergence", in: "Tests/Convergence", on: "\(core) EvocationSQLite TestSupport"),
  program("SQLiteChild", in: "Tests/SQLiteChild", on: "\(all) TestSupport CEvocationSQLite"),
  program("Transcripts", in: "Tests/Transcripts", on: "\(all) SQLiteSupport TestSupport"),
]

let allTests: [Target] = [
  tests("EvocationValues", in: "Evocation/Values", on: inner),
  tests("EvocationStores", in: "Evocation/Stores", on: inner),
  tests("EvocationCalls", in: "Evocation/Calls", on: inner),
  tests("EvocationCaching", in: "Evocation/Caching", on: inner),
  tests("EvocationOutbox", in: "Evocation/Outbox", on: "\(inner) Convergence Fixtures"),
  tests("Evocation", in: "Evocation/Evocation", on: "\(inner) EvocationSQLite EvocationInspection"),
  tests("EvocationLive", on: "\(inner) EvocationLive"),
  tests("EvocationInspection", on: "\(inner) EvocationInspection"),
  tests("EvocationSQLite", on: "\(all) SQLiteChild SQLiteSupport", exclude: ["Support"]),
  tests("EvocationHTTP", on: "\(all) TransportSuite"),
  tests("EvocationTesting", on: core),
  // Types as `scripts/types` writes them; it builds these files with a thousand others.
  tests("Types", on: "\(stores) EvocationTesting"),
  tests("Documentation", on: all),
  tests("Reader", on: "Reader Evocation Fixtures"),
  tests("Notes", on: "NotesModel Evocation EvocationHTTP EvocationTesting Fixtures"),
  tests("MainActorApp", on: core, [.defaultIsolation(MainActor.self)]),
  tests("Fixtures", on: "Fixtures"),
  tests("Golden", on: "\(core) EvocationSQLite SQLiteSupport", exclude: ["Expected"]),
  // Only where it is named: it needs the services that `scripts/test-services` starts.
  tests("Services", on: "\(all) Reader TransportSuite"),
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
  products: sources.filter { $0.name == "Evocation" || $0.path == nil }.map {
    .library(name: $0.name, targets: [$0.name])
  } + [
    // What a transport has to bear, for `Examples/Server`, which puts another in URLSession's place.
    .library(name: "TransportSuite", targets: ["TransportSuite", "Fixtures"]),
    .executable(name: "garage", targets: ["Garage"]),
    .executable(name: "reader", targets: ["Reader"]),
  ],
  targets: (sources + helpers + allTests).filter(isBuilt)
)
