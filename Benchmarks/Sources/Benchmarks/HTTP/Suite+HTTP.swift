import Harness

extension Suite {
  /// The cost of the HTTP repository, compared with a `URLSession` and a decoder by hand.
  static var http: Suite {
    Suite("http", FindCases().all + PrefetchCases().all)
  }
}
