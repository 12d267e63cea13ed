import Evocation
import EvocationSQLite
import Foundation
import Harness

/// The time until commits of other connections and processes are seen, and the cost of waiting.
struct ForeignCases {
  private struct Setting: Sendable {
    let crowd: Crowd
    let other: SQLiteRepository<Car>
    let process: OtherProcess
  }

  private let setting = Once {
    let path = Crowd.path()
    let cars = try SQLiteRepository<Car>(SQLiteDatabase(path: path))
    return Setting(
      crowd: await Crowd(1, of: .equality, on: cars),
      other: try SQLiteRepository<Car>(SQLiteDatabase(path: path)),
      process: try OtherProcess(path))
  }

  var all: [Case] {
    [
      Case("SQLite: another connection's commit until answered", .nanoseconds, bar: .atMost(1e8)) {
        [setting] in
        let setting = try await setting.value
        return try await setting.crowd.limited {
          try await ContinuousClock().measure {
            for number in 1...20 {
              let car = Car(id: 7, model: "\(number)", year: 0)
              _ = try await setting.other.storeOrUpdate([car])
              try await setting.crowd.answer { $0.contains(car) }
            }
          } / .nanoseconds(20)
        }
      },
      Case("SQLite: another process's commit until answered", .nanoseconds, bar: .atMost(1e8)) {
        [setting] in
        let setting = try await setting.value
        return try await setting.crowd.limited {
          try await ContinuousClock().measure {
            for number in 1...20 {
              try setting.process.run("UPDATE car SET model = 'other \(number)' WHERE id = 1")
              try await setting.crowd.answer { $0.contains { $0.model == "other \(number)" } }
            }
          } / .nanoseconds(20)
        }
      },
      Case("SQLite: processor time of an idle second", .nanoseconds, bar: .atMost(1e6)) {
        [setting] in
        _ = try await setting.value
        // Evocation checks the writer for a little more than a second after the last write.
        try await Task.sleep(for: .milliseconds(1_500))
        let before = ProcessorTime.nanoseconds
        try await Task.sleep(for: .seconds(1))
        return ProcessorTime.nanoseconds - before
      },
    ]
  }
}
