import Harness

extension Suite {
  /// What the repository on SQLite costs beside the C API by hand and beside GRDB.
  static var sqlite: Suite {
    Suite(
      "sqlite",
      BulkCases().all + SingleCases().all + OutboxCases().all + ConcurrentCases().all
        + StreamCases().all)
  }
}
