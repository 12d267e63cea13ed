import Harness

extension Suite {
  /// What an app waits for when it is launched.
  static var launch: Suite {
    Suite("launch", LaunchCases().all)
  }
}
