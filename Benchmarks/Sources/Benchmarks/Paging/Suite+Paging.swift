import Harness

extension Suite {
  /// The cost of a list of 2,000 pages of 50, compared with a short one, and of removing models of lists.
  static var paging: Suite {
    Suite("paging", PagingCases().all + RemovalCases().all)
  }
}
