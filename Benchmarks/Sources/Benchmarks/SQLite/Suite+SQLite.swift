import Harness

extension Suite {
  /// The cost of the SQLite repository, compared with the C API by hand and with GRDB.
  static var sqlite: Suite {
    Suite(
      "sqlite",
      BulkCases().all + SingleCases().all + FollowingCases().all + OutboxCases().all
        + ConcurrentCases().all + StreamCases().all)
  }
}
