import Harness

extension Suite {
  /// What the repository over HTTP costs beside a `URLSession` and a decoder by hand.
  static var http: Suite {
    Suite("http", FindCases().all + PrefetchCases().all)
  }
}
