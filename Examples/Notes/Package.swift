// swift-tools-version: 6.2
import PackageDescription

let settings: [SwiftSetting] = [
  .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("InternalImportsByDefault"),
]

let package = Package(
  name: "Notes",
  platforms: [.macOS(.v15), .iOS(.v18)],
  products: [
    .executable(name: "Notes", targets: ["Notes"]),
    // For an iOS app, which a package cannot be.
    .library(name: "NotesModel", targets: ["NotesModel"]),
  ],
  dependencies: [.package(name: "Evocation", path: "../..")],
  targets: [
    .target(
      name: "NotesModel",
      dependencies: [
        .product(name: "Evocation", package: "Evocation"),
        .product(name: "EvocationHTTP", package: "Evocation"),
        .product(name: "EvocationSQLite", package: "Evocation"),
      ],
      path: "Model",
      swiftSettings: settings
    ),
    .executableTarget(
      name: "Notes",
      dependencies: [
        "NotesModel", .product(name: "Evocation", package: "Evocation"),
        .product(name: "EvocationSQLite", package: "Evocation"),
      ],
      path: "App",
      swiftSettings: settings
    ),
  ],
  swiftLanguageModes: [.v6]
)
