import Evocation
import EvocationTesting
import TestTraits
import Testing

@Suite(.patient) struct FaultScheduleTests {
  @Test func `A schedule says itself in one sentence`() {
    #expect(FaultSchedule.none.description == "Nothing goes wrong.")
    let all = FaultSchedule(.fails(), on: .number(3))
      .and(.fails(with: Refused()), on: .from(9))
      .and(.isDelayed(by: .seconds(2)), on: .each(.read))
      .and(.answersHalf, on: .first(2, ofEvery: 5, .write))
      .and(.breaksOff(after: 1), on: .number(2, .write))
      .and(.breaksOff(after: 2), on: .number(4, .write))
      .and(.losesWrite, on: .each(.write))
      .and(.losesAnswer, on: .random(percent: 30, seed: 7))
    #expect(
      all.description == "Call 3 fails; every call from number 9 on fails with Refused; "
        + "every read is delayed by 2.0 seconds; each of the first 2 of every 5 writes answers half "
        + "of its models; write 2 breaks off after 1 model; write 4 breaks off after 2 models; every "
        + "write loses what it writes; one call in 30 % of cases (seed 7) loses its answer.")
  }

  /// The numbers of the calls, of so many, that fail.
  private func failing(_ occasion: FaultOccasion, of count: Int = 12) async -> [Int] {
    let mock = RepositoryMock<Car> { _ in [] }
    let faulty = FaultyRepository(mock, FaultSchedule(.fails(), on: occasion))
    var failing: [Int] = []
    for number in 1...count where (try? await faulty.find(Criteria())) == nil {
      failing.append(number)
    }
    #expect(mock.calls.count == count - failing.count)
    return failing
  }

  @Test func `Each occasion is the calls that it says`() async {
    #expect(await failing(.each()) == Array(1...12))
    #expect(await failing(.number(3)) == [3])
    #expect(await failing(.from(11)) == [11, 12])
    #expect(await failing(.first(2, ofEvery: 5)) == [1, 2, 6, 7, 11, 12])
    #expect(await failing(.first(1, ofEvery: 0)) == Array(1...12))
    #expect(await failing(.number(2, .read)) == [2])
    #expect(await failing(.each(.write)) == [])
    #expect(await failing(.random(percent: 0, seed: 1)) == [])
    #expect(await failing(.random(percent: 100, seed: 1)) == Array(1...12))
  }

  @Test func `Chance is the same for the same seed, and about as great as it says`() async {
    let first = await failing(.random(percent: 30, seed: 1), of: 1000)
    #expect(await failing(.random(percent: 30, seed: 1), of: 1000) == first)
    #expect(await failing(.random(percent: 30, seed: 2), of: 1000) != first)
    #expect((250...350).contains(first.count))
  }

  @Test func `A seed that was made up is said`() throws {
    let text = "\(FaultOccasion.random(percent: 5))"
    #expect(text.contains(/one call in 5 % of cases \(seed \d+\)/))
  }
}
