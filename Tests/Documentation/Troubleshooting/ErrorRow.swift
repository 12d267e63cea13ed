import Evocation
import Foundation

/// An error as the page on troubleshooting has it: an example, and why it happens.
struct ErrorRow: Sendable {
  /// The sections of the page, in its order.
  enum Area: String, CaseIterable, Sendable {
    case settingUp = "Setting up"
    case reading = "Reading"
    case writing = "Writing and the outbox"
    case caches = "Caches and lists"
    case http = "Over HTTP"
    case sqlite = "SQLite"
    case tests = "In tests"
  }

  /// A value of a model, which no text for a person and no fix may repeat.
  static let value = "4711"

  let area: Area
  /// The error's name, as a `switch` has it.
  let name: String
  let error: any LocalizedError & CustomStringConvertible
  /// Why it happens, in a sentence.
  let cause: String

  init(
    _ area: Area, _ name: String, _ error: any LocalizedError & CustomStringConvertible,
    _ cause: String
  ) {
    self.area = area
    self.name = name
    self.error = error
    self.cause = cause
  }

  /// What the page has of it.
  var text: String {
    """
    ### `\(name)`

    > \(error.description)

    \(cause)

    - **Fix:** \(error.recoverySuggestion ?? "")
    - **Alert:** "\((error as any Error).localizedDescription)"

    """
  }

  /// The rows of all errors.
  static func all() async throws -> [ErrorRow] {
    var rows = EvocationErrorCase.allCases.map(\.row)
    rows += StrategyErrorCase.allCases.map(\.row)
    rows += CacheErrorCase.allCases.map(\.row)
    rows += ofLists
    rows += HTTPRow.all
    rows += try await SQLiteErrorCase.rows()
    rows += try ofTesting()
    return rows
  }
}
