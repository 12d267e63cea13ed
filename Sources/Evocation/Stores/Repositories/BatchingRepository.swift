/// A remote repository that can return what it finds in batches, while it receives them.
///
/// `Evocation.prefetch(_:criteria:maxAge:)` saves one batch after another, so that it fetches a
/// list of any length without holding it in memory.
package protocol BatchingRepository<Model>: Repository {
  /// Finds the models that match, and passes them on in batches, in order.
  ///
  /// - Parameters:
  ///   - criteria: The criteria of the models to find.
  ///   - size: The largest number of models in a batch.
  ///   - take: Receives a batch with the versions of its models. The next batch follows when it has
  ///     returned. An error that it throws ends the call.
  /// - Returns: The number of models found.
  /// - Throws: What `find` throws, and what `take` throws. Batches that `take` has received are not
  ///   taken back.
  func find(
    _ criteria: Criteria, inBatchesOf size: Int,
    _ take: @escaping @Sendable (Response<[Model]>) async throws -> Void
  ) async throws -> Response<Int>
}
