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
    .package(name: "Evocation", path: "..")
  ],
  targets: [
    .target(name: "CHeap"),
    .target(name: "Harness", dependencies: ["CHeap"], swiftSettings: settings),
    .executableTarget(
      name: "benchmarks",
      dependencies: [
        "Harness", .product(name: "Evocation", package: "Evocation"),
        .product(name: "EvocationSQLite", package: "Evocation"),
      ],
      path: "Sources/Benchmarks",
      swiftSettings: settings
    ),
  ],
  swiftLanguageModes: [.v6]
)
