import Evocation
import EvocationHTTP
import Fixtures
import TestTraits
import Testing

/// Conditions on numbers of every size: they find what has that number, or are refused.
@Suite(.patient) struct NumberTests {
  private static let whole = [0, 1, -1, 2_147_483_648, 9_007_199_254_740_993, .max, .min]
  private static let real = [
    0, -0.0, 0.1, 1.5, -273.15, 1e-7, .leastNonzeroMagnitude, 123_456_789.123_456_78, 1e15, 1e16,
    1e21, 1e22,
    .greatestFiniteMagnitude,
  ]

  @Test(arguments: RealService.runningOnce)
  func `A condition on a number finds the models that have it, or is refused`(
    service: RealService
  ) async throws {
    func check<Model: ServiceCar>(_ type: Model.Type) async throws {
      // PocketBase has no whole numbers, and GraphQL has those of 32 bits.
      let bits = [.pocketBase: 53, .graphQL: 31][service, default: 64]
      let whole = Self.whole.filter { bits == 64 || $0.magnitude < 1 << bits }
      let wanted = Self.real.enumerated().map { number, value in
        var car = car(number + 8)
        (car.acceleration, car.weight) = (value, whole[number % whole.count])
        return Model(car)
      }
      // What the service makes of them, which may be less exact.
      let cars = try await service.fill(wanted)
      let local = InMemoryRepository<Model>(cars)
      let remote = repository(of: service, type)
      let (weight, acceleration) = (Criteria.Key("weight"), Criteria.Key("acceleration"))
      let questions: [[Criteria]] = [
        whole.flatMap { [weight == $0, weight <= $0, weight > $0, weight.in([$0, 5])] },
        Self.real.flatMap { [acceleration == $0, acceleration < $0, acceleration >= $0] },
      ]
      for question in questions.joined() {
        let comment = Comment(
          rawValue: "\(service) \(String(describing: question.predicate).suffix(300))")
        let wanted = try await local.find(question).value
        do {
          let found = try await remote.find(question).value
          #expect(Set(found.map(\.id)) == Set(wanted.map(\.id)), comment)
        } catch {
          #expect(FailureKind(error) == .permanent, "\(comment): \(error)")
        }
      }
    }
    try await service.alone { try await check(service.model) }
  }
}
