import Evocation
import EvocationTesting
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
}
