import Evocation
import TestTraits
import Testing

@testable import CoreSupport

/// One model asked for by its id, which memory finds without looking at the others.
@Suite(.patient) struct InMemoryCursorTests {
  private let repository = InMemoryRepository((1...3).map { Car(id: $0) })

  @Test func `A model is found by its id behind a cursor alone, and within the page alone`()
    async throws
  {
    let cursor = try Criteria().cursor(at: Car(id: 2))
    for id in 1...3 {
      let one: Criteria = ["id": id]
      #expect(try await repository.find(one).value.map(\.id) == [id])
      #expect(try await repository.find(one.after(cursor)).value.map(\.id) == (id > 2 ? [id] : []))
      #expect(try await repository.find(one.offset(1)).value.isEmpty)
      #expect(try await repository.find(one.limit(0)).value.isEmpty)
    }
  }
}
