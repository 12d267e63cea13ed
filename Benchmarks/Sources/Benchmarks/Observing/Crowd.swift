import Evocation
import EvocationSQLite
import Foundation

/// Observers of different criteria on one repository, of which one sees the written car.
final class Crowd: Sendable {
  /// The criteria of the observers, and the cars that are written for the first one.
  struct Question: Sendable {
    let name: String
    let criteria: @Sendable (Int) -> Criteria
    let car: @Sendable (Int) -> Car

    static let equality = Question(name: "year == i") {
      ["year": $0]
    } car: {
      Car(id: 1, model: "\($0)", year: 0)
    }
    static let sorted = Question(name: "model == i, by year") {
      (["model": "\($0)"] as Criteria).sorted(by: "year")
    } car: {
      Car(id: 1, model: "0", year: $0)
    }
  }

  let evocation = Evocation()
  private let observations: [Evocation.Observation]
  private let answers: AsyncStream<Answer>
  private let continuation: AsyncStream<Answer>.Continuation

  private struct Answer {
    let observer: Int
    let cars: [Car]
  }

  /// Creates the observers, and returns when each has its first answer.
  init(
    _ count: Int, of question: Question, on repository: some Repository<Car>
  ) async {
    evocation.register(for: Car.self).repository(local: repository).strategy(.localOnly)
    _ = await evocation.storeOrUpdate([question.car(0)])
    let (answers, continuation) = AsyncStream<Answer>.makeStream()
    self.answers = answers
    self.continuation = continuation
    observations = (0..<count).map { [evocation] index in
      evocation.observe(model: Car.self, criteria: question.criteria(index)) { result in
        continuation.yield(Answer(observer: index, cars: result.data ?? []))
      }
    }
    var seen = 0
    for await _ in answers {
      seen += 1
      if seen == count { break }
    }
  }

  deinit {
    for observation in observations { observation.cancel() }
  }

  /// Waits for an answer that fits; only the first observer may answer.
  ///
  /// One answer may include several writes, so answers are not counted.
  func answer(_ fits: ([Car]) -> Bool) async throws {
    for await answer in answers {
      try expect(answer.observer == 0)
      if fits(answer.cars) { return }
    }
    throw WrongAnswer()
  }

  /// Runs code that waits for answers, and ends it with an error if they do not arrive in time.
  func limited<Value>(_ body: () async throws -> Value) async throws -> Value {
    let watch = Task { [continuation] in
      try await Task.sleep(for: .seconds(60))
      continuation.finish()
    }
    defer { watch.cancel() }
    return try await body()
  }

  /// Creates observers on a repository in memory.
  static func inMemory(_ count: Int, of question: Question) async -> Crowd {
    await Crowd(count, of: question, on: InMemoryRepository<Car>())
  }

  /// Creates observers on a repository in a separate file.
  static func inFile(_ count: Int, of question: Question) async throws -> Crowd {
    let cars = try SQLiteRepository<Car>(SQLiteDatabase(path: path()))
    return await Crowd(count, of: question, on: cars)
  }

  /// Returns a new path.
  static func path() -> String {
    FileManager.default.temporaryDirectory.appending(path: "benchmark-\(UUID().uuidString)").path
  }
}
