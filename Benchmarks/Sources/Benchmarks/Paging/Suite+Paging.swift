import Harness

extension Suite {
  /// What a list of 2,000 pages of 50 costs beside a short one.
  static var paging: Suite {
    Suite("paging", PagingCases().all)
  }
}
