// swift-tools-version: 6.2
import PackageDescription

let settings: [SwiftSetting] = [
  .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("InternalImportsByDefault"),
]

let package = Package(
  name: "Benchmarks",
  platforms: [.macOS(.v15)],
  dependencies: [
    .package(name: "Evocation", path: ".."),
    // A peer to measure against; nothing outside this folder sees it.
    .package(url: "https://github.com/groue/GRDB.swift", exact: "7.10.0"),
  ],
  targets: [
    .target(name: "CHeap"),
    .systemLibrary(
      name: "CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),
    .target(name: "Harness", dependencies: ["CHeap"], swiftSettings: settings),
    // The program that a case runs, because a process learns each model once.
    .executableTarget(
      name: "launch",
      dependencies: [
        .product(name: "Evocation", package: "Evocation"),
        .product(name: "EvocationSQLite", package: "Evocation"),
        .product(name: "EvocationHTTP", package: "Evocation"),
      ],
      path: "Sources/Launch",
      swiftSettings: settings
    ),
    .executableTarget(
      name: "benchmarks",
      dependencies: [
        "Harness",
        .product(name: "Evocation", package: "Evocation"),
        .product(name: "EvocationSQLite", package: "Evocation"),
        .product(name: "EvocationHTTP", package: "Evocation"),
        .product(name: "EvocationLive", package: "Evocation"),
        .product(name: "GRDB", package: "GRDB.swift"),
        "CSQLite",
      ],
      path: "Sources/Benchmarks",
      swiftSettings: settings
    ),
  ],
  swiftLanguageModes: [.v6]
)
