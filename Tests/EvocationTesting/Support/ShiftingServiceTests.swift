import Evocation
import EvocationTesting
import TestSupport
import TestTraits
import Testing

@Suite(.patient) struct ShiftingServiceTests {
  @Test func `A service tells each answer once, and none that it did not give`() async throws {
    let service = ShiftingService((1...3).map { Listed($0) })
    _ = try await service.find(Criteria().limit(2))
    _ = try await service.find(Criteria().offset(2).limit(2))
    #expect(service.takeAnswers() == [[Listed(1), Listed(2)], [Listed(3)]])
    #expect(service.takeAnswers() == [])
    service.answersUntilOutage = 1
    service.items.removeFirst()
    _ = try await service.find(Criteria().limit(1))
    await #expect(throws: ShiftingService.Outage()) { try await service.find(Criteria()) }
    #expect(service.takeAnswers() == [[Listed(2)]])
  }

  @Test func `A list that is paged while its service gains an item lists none twice`() async throws
  {
    let evocation = Evocation()
    let service = ShiftingService((1...4).map { Listed($0) })
    evocation.register(for: Listed.self)
      .repository(remote: service)
      .repository(local: InMemoryRepository<Listed>())
    let list = evocation.pagingCache(
      Listed.self, pageSize: 2, options: .init(paging: service.paging))
    list.requirements = Criteria()
    try await list.refresh()
    service.items.insert(Listed(9), at: 0)
    await list.goToNextPage()
    #expect(try await list.value().map(\.id) == [1, 2, 3])
  }
}
