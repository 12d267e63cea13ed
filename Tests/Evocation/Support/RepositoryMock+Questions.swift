import Evocation
import EvocationTesting

extension RepositoryMock {
  /// The criteria that it was asked to find.
  var questions: [Criteria] {
    calls.compactMap { if case .find(let criteria) = $0 { criteria } else { nil } }
  }
}
