import Harness

extension Suite {
  /// What it costs to ask a ledger, to read a cache, and to show it to those who observe.
  static var cache: Suite {
    Suite(
      "cache",
      LedgerCases().all + ReadingCases().all + AudienceCases().all + JoiningCases().all
        + RefreshingCases().all)
  }
}
