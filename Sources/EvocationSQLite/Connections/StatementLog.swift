internal import CEvocationSQLite
internal import Evocation

/// Writes each statement of a connection to a log as it ends.
///
/// SQLite reports it, as the [documentation of
/// `sqlite3_trace_v2`](https://www.sqlite.org/c3ref/trace_v2.html) describes.
final class StatementLog: Sendable {
  private let log: Evocation.Log
  private let database: String

  init(_ log: Evocation.Log, _ database: String) {
    self.log = log
    self.database = database
  }

  /// Writes a connection's statements to the log until the connection is closed.
  func follow(_ handle: OpaquePointer) {
    let events = UInt32(SQLITE_TRACE_PROFILE)
    // The connection keeps this object until it is closed.
    let this = Unmanaged.passUnretained(self).toOpaque()
    sqlite3_trace_v2(
      handle, events,
      { _, context, statement, nanoseconds in
        guard let context, let statement, let nanoseconds,
          let text = sqlite3_sql(OpaquePointer(statement))
        else { return 0 }
        let log = Unmanaged<StatementLog>.fromOpaque(context).takeUnretainedValue()
        let time = nanoseconds.load(as: Int64.self)  // what SQLite passes with this event
        log.note(String(cString: text), .nanoseconds(max(time, 0)))
        return 0
      }, this)
  }

  private func note(_ sql: String, _ duration: Duration) {
    log.add { [database] _ in
      .statement(.init(sql: sql, database: database, duration: duration))
    }
  }
}
