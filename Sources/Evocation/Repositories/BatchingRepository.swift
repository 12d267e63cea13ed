/// A remote repository that gives what it finds in batches, while it comes.
///
/// `Evocation.prefetch(_:criteria:maxAge:)` stores them one after the other, so that a list of any
/// length is fetched without being held.
package protocol BatchingRepository<Model>: Repository {
  /// Finds the models that match, and gives them in batches, in order.
  ///
  /// - Parameters:
  ///   - criteria: What is asked for.
  ///   - size: How many models a batch has at most.
  ///   - take: Takes a batch, with the versions of its models; the next one is given when it has
  ///     returned. What it throws ends the call.
  /// - Returns: How many models there were.
  /// - Throws: As `find` does, and what `take` throws; batches that were taken stay taken.
  func find(
    _ criteria: Criteria, inBatchesOf size: Int,
    _ take: @escaping @Sendable (Response<[Model]>) async throws -> Void
  ) async throws -> Response<Int>
}
