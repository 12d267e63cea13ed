import Harness

extension Suite {
  /// The cost of single calls on files of 1,000 to 1,000,000 rows, compared with the C API by hand.
  static var growth: Suite {
    Suite("growth", GrowthCases().all)
  }
}
