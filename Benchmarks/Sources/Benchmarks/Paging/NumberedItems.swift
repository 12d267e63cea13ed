import Evocation

/// An endless service of items, which creates them on request.
struct NumberedItems: Repository {
  /// The error of every write.
  struct Refusal: Error {}

  func find(_ criteria: Criteria) async throws -> Response<[Item]> {
    let end = criteria.offset + (criteria.limit ?? 0)
    return Response((criteria.offset..<end).map { Item($0) })
  }

  func store(_ models: [Item]) async throws -> Response<[Item]> { throw Refusal() }
  func update(_ models: [Item]) async throws -> Response<[Item]> { throw Refusal() }
  func storeOrUpdate(_ models: [Item]) async throws -> Response<[Item]> { throw Refusal() }
  func remove(_ models: [Item]) async throws -> Response<[Item]> { throw Refusal() }
}
