package import Testing

/// A test that fails now and then for a reason that is not yet understood, which its comment says.
///
/// Its failures are told as known, and do not make a run fail.
package struct Intermittent: TestTrait, SuiteTrait, TestScoping {
  let comment: Comment

  package var isRecursive: Bool { true }
  package var comments: [Comment] { [comment] }

  package func provideScope(
    for test: Test, testCase: Test.Case?,
    performing function: @concurrent @Sendable () async throws -> Void
  ) async throws {
    guard testCase != nil else { return try await function() }
    await withKnownIssue(comment, isIntermittent: true) { try await function() }
  }
}

extension Trait where Self == Intermittent {
  package static func intermittent(_ comment: Comment) -> Self { Intermittent(comment: comment) }
}
