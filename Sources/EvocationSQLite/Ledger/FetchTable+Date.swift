internal import Evocation
internal import Foundation

/// The greatest date that the ledger ever saw, in a table of one row.
///
/// The first write to the ledger makes it, in older files too.
extension FetchTable {
  private static let dates = "evocation_dates"
  private static let isThere = "SELECT 1 FROM sqlite_schema WHERE name = '\(dates)'"

  func greatestDate() throws -> Date? {
    guard try connection.first(Self.isThere) != nil,
      case .real(let seconds)? = try connection.first("SELECT greatest FROM \(Self.dates)"),
      seconds.isFinite
    else { return nil }
    return Date(timeIntervalSinceReferenceDate: seconds)
  }

  /// Keeps a date if it is the greatest.
  func keep(_ date: Date?) throws {
    guard let date else { return }
    try makeDates()
    try run(
      SQLQuery(
        """
        INSERT INTO \(Self.dates) (id, greatest) VALUES (1, ?) ON CONFLICT (id) DO UPDATE SET \
        greatest = excluded.greatest WHERE greatest < excluded.greatest
        """, [.real(date.timeIntervalSinceReferenceDate)]))
  }

  /// Is told the present date; where that was set back, every record is undated.
  func note(_ date: Date) throws {
    guard DateGuard.isSetBack(date, from: try greatestDate()) else {
      return try keep(DateGuard.greatest(date, nil))
    }
    try markUndated()
    try run("DELETE FROM \(Self.dates)")
    try keep(date)
  }

  private func makeDates() throws {
    guard try connection.first(Self.isThere) == nil else { return }
    try connection.execute(
      "CREATE TABLE IF NOT EXISTS \(Self.dates) (id INTEGER PRIMARY KEY, greatest REAL NOT NULL)",
      "Writing the ledger")
  }
}
