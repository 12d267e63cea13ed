import Harness

extension Suite {
  /// The cost of asking a ledger, of reading a cache, and of showing it to observers.
  static var cache: Suite {
    Suite(
      "cache",
      LedgerCases().all + ReadingCases().all + AudienceCases().all + JoiningCases().all
        + RefreshingCases().all)
  }
}
