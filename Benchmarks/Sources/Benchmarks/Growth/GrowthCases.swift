import Foundation
import Harness

/// The cases of the suite "growth": each call on files of each size, by C and by Evocation.
///
/// The bars are those of the same calls in the suite "sqlite", for the largest file. The time to count
/// grows with the rows in C too, because SQLite keeps no count.
struct GrowthCases {
  private static let sizes = [1_000, 10_000, 100_000, 1_000_000]

  /// The files of one size, which all rounds use.
  private struct Files: Sendable {
    let rows: Int
    let byHand: Once<GrownFile<CContender>>
    let ours: Once<GrownFile<EvocationContender<Item>>>

    init(rows: Int) {
      self.rows = rows
      byHand = Once { try await GrownFile(rows: rows) }
      ours = Once { try await GrownFile(rows: rows) }
    }
  }

  var all: [Case] {
    let files = Self.sizes.map { Files(rows: $0) }
    return files.flatMap { files in
      pair("findOne", files, 1.9, { try await $0.findOne() }, { try await $0.findOne() })
        + pair("find 20", files, nil, { try await $0.findTwenty() }, { try await $0.findTwenty() })
        + pair("storeOne", files, 1.5, { try await $0.storeOne() }, { try await $0.storeOne() })
        + pair("count", files, nil, { try await $0.count() }, { try await $0.count() })
    }
  }

  private func pair(
    _ name: String, _ files: Files, _ bar: Double?,
    _ byHand: @escaping @Sendable (GrownFile<CContender>) async throws -> Double,
    _ ours: @escaping @Sendable (GrownFile<EvocationContender<Item>>) async throws -> Double
  ) -> [Case] {
    let size = "\(name), \(files.rows.formatted(.number.locale(Locale(identifier: "en")))) rows"
    let isLargest = files.rows == Self.sizes.last
    return [
      Case("\(size), C by hand", .nanoseconds) { try await byHand(files.byHand.value) },
      Case(
        "\(size), Evocation", .nanoseconds, against: "\(size), C by hand",
        bar: isLargest ? bar.map { .times($0) } : nil
      ) { try await ours(files.ours.value) },
    ]
  }
}
