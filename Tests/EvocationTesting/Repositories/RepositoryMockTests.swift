import Evocation
import EvocationTesting
import TestTraits
import Testing

@Suite(.patient) struct RepositoryMockTests {
  private let car = Car(id: 1, name: "a", year: 1980, owner: nil)

  @Test func `Every method arrives as itself, and is answered by the script`() async throws {
    let mock = RepositoryMock<Car>(metadata: ["etag": "x"]) { [car] _ in [car, car] }
    let some: any Repository<Car> = mock
    let lists = [
      try await some.find(["id": 1]), try await some.store([car]), try await some.update([car]),
      try await some.storeOrUpdate([car]), try await some.remove([car]),
      try await some.mirror([car], for: ["id": 1]),
    ]
    #expect(lists.allSatisfy { $0.value == [car, car] && $0.metadata["etag"] as? String == "x" })
    let single = [
      try await some.findOne(["id": 1]), try await some.storeOne(car),
      try await some.updateOne(car), try await some.removeOne(car),
    ]
    #expect(single.allSatisfy { $0.value == car && $0.metadata["etag"] as? String == "x" })
    #expect(
      mock.calls.map(\.description) == [
        "find", "store", "update", "storeOrUpdate", "remove", "mirror", "findOne", "storeOne",
        "updateOne", "removeOne",
      ])
    #expect(mock.calls.first == .find(["id": 1]))
    #expect(mock.calls[5] == .mirror([car], ["id": 1]))
  }

  @Test func `Calls are compared with their arguments`() async throws {
    let remote = RepositoryMock<Car> { _ in [] }
    _ = try await remote.find(["year": 1980])
    _ = try await remote.storeOne(car)
    #expect(remote.calls == [.find(["year": 1980]), .storeOne(car)])
  }

  @Test func `What the script gives is counted`() async throws {
    let mock = RepositoryMock<Car> { [car] _ in [car, car] }
    #expect(try await mock.count(["id": 1]) == 2)
    #expect(try await mock.exists(["id": 1]))
    #expect(mock.calls.map(\.description) == ["find", "findOne"])
  }

  @Test func `What the script throws is thrown, and the call is recorded`() async {
    let mock = RepositoryMock<Car> { _ in throw Refused() }
    await #expect(throws: Refused.self) { try await mock.storeOne(car) }
    #expect(mock.calls.count == 1)
  }

  @Test func `A call is recorded before it is answered`() async throws {
    let gate = Gate()
    let mock = RepositoryMock<Car> { _ in
      try await gate.pass()
      return []
    }
    async let answer = mock.findOne(Criteria())
    await gate.arrivals(1)
    #expect(mock.calls.map(\.description) == ["findOne"])
    gate.letOneThrough()
    #expect(try await answer.value == nil)
  }
}
