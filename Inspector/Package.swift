// swift-tools-version: 6.2
import PackageDescription

let settings: [SwiftSetting] = [
  .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("InternalImportsByDefault"),
]

// A package of its own, because Evocation depends on none, and this one on an HTTP server.
let package = Package(
  name: "EvocationInspector",
  platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
  products: [
    .library(name: "EvocationInspector", targets: ["EvocationInspector"]),
    .executable(name: "garage-inspector", targets: ["GarageInspector"]),
  ],
  dependencies: [
    .package(name: "Evocation", path: ".."),
    .package(url: "https://github.com/swhitty/FlyingFox", from: "0.27.1"),
  ],
  targets: [
    .target(
      name: "EvocationInspector",
      dependencies: [
        .product(name: "Evocation", package: "Evocation"),
        .product(name: "EvocationInspection", package: "Evocation"),
        .product(name: "FlyingFox", package: "FlyingFox"),
        .product(name: "FlyingSocks", package: "FlyingFox"),
      ],
      resources: [.copy("Page")],
      swiftSettings: settings),
    .executableTarget(
      name: "GarageInspector",
      dependencies: [
        "EvocationInspector",
        .product(name: "EvocationHTTP", package: "Evocation"),
        .product(name: "EvocationSQLite", package: "Evocation"),
        .product(name: "TransportSuite", package: "Evocation"),
      ],
      swiftSettings: settings),
    .testTarget(
      name: "EvocationInspectorTests",
      dependencies: [
        "EvocationInspector",
        .product(name: "Evocation", package: "Evocation"),
        .product(name: "EvocationInspection", package: "Evocation"),
      ],
      swiftSettings: settings),
  ],
  swiftLanguageModes: [.v6]
)
