public import Evocation
public import Foundation

/// Records what a repository answers, and plays it again in a test.
///
/// ```swift
/// let recording = Recording()
/// evocation.register(for: Car.self)
///   .repository(remote: recording.recorded(service))
///   .repository(local: InMemoryRepository<Car>())
/// ```
///
/// After the run ``write(to:)`` writes a JSON file. It contains the criteria, the models and the
/// errors, so ask your user before you send it. A test plays it again:
///
/// ```swift
/// let recording = try Recording(contentsOf: file)
/// evocation.register(for: Car.self)
///   .repository(remote: recording.replayed(Car.self))
///   .repository(local: InMemoryRepository<Car>())
/// ```
///
/// The replay answers each question immediately, with the first recorded answer to the same question
/// that it did not give yet. A question that was not recorded fails, and is in ``differences``. Safe
/// to use from any thread.
public final class Recording: Sendable {
  private struct State {
    var calls: [RecordedCall]
    /// The indices of the answers to a question that were not given yet.
    var answers: [RecordedCall.Question: ArraySlice<Int>] = [:]
    var given: Set<Int> = []
    var found: [String] = []
  }

  private let state: Lock<State>

  /// Creates an empty recording, which keeps all calls in memory.
  public init() { state = Lock(State(calls: [])) }

  /// Reads a recording.
  ///
  /// - Throws: An error for a file that is no recording, or of another version.
  public init(json: Data) throws {
    var state = State(calls: try RecordedFile.calls(in: json))
    for (index, call) in state.calls.enumerated() {
      state.answers[call.question, default: []].append(index)
    }
    self.state = Lock(state)
  }

  /// Reads a recording from a file.
  ///
  /// - Throws: An error for a file that is no recording, and errors of the file system.
  public convenience init(contentsOf file: URL) throws {
    try self.init(json: Data(contentsOf: file))
  }

  /// Returns the recording as JSON.
  public func json() throws -> Data {
    try RecordedFile.json(of: state.withLock { $0.calls })
  }

  /// Writes the recording into a file, which it replaces.
  ///
  /// - Throws: Errors of the file system.
  public func write(to file: URL) throws { try json().write(to: file, options: .atomic) }

  /// Returns a repository that forwards each call to another one, and records the answer.
  ///
  /// It is a plain `Repository` without transactions, changes and an outbox. So record the remote
  /// repository.
  public func recorded<Model: Codable & Sendable>(
    _ repository: some Repository<Model>
  ) -> some Repository<Model> {
    RecordedRepository(base: repository, recording: self)
  }

  /// Returns a repository that answers as recorded, and fails for what was not recorded.
  public func replayed<Model: Codable & Sendable>(
    _ model: Model.Type
  ) -> some Repository<Model> {
    RecordedRepository<Model>(base: nil, recording: self)
  }

  /// The questions that were not recorded, a sentence each.
  public var differences: [String] { state.withLock { $0.found } }

  /// The recorded calls that nothing asked for yet, a sentence each.
  public var unplayed: [String] {
    state.withLock { state in
      state.calls.enumerated().compactMap { index, call in
        let question = call.question
        return state.given.contains(index)
          ? nil
          : "\(question.method) of the remote \(question.model) was not asked."
      }
    }
  }

  func record(_ question: RecordedCall.Question, _ answer: RecordedCall.Answer) {
    state.withLock { state in
      state.answers[question, default: []].append(state.calls.count)
      state.calls.append(
        RecordedCall(
          model: question.model, method: question.method, given: question.given.text,
          answer: answer))
    }
  }

  func answer(_ question: RecordedCall.Question) throws -> RecordedCall.Answer {
    try state.withLock { state throws(RecordingError) in
      if let index = state.answers[question]?.popFirst() {
        state.given.insert(index)
        return state.calls[index].answer
      }
      let isRecorded = state.calls.indices.contains { index in
        !state.given.contains(index) && state.calls[index].question.isLike(question)
      }
      let sentence =
        "\(question.method) of the remote \(question.model) was asked "
        + (isRecorded
          ? "with something else than what was recorded next."
          : "more often than it was recorded.")
      state.found.append(sentence)
      throw RecordingError(sentence)
    }
  }
}

/// A recording cannot be read or replayed.
package struct RecordingError: Error, CustomStringConvertible, Hashable, Sendable, LocalizedError {
  /// One sentence, with the fix.
  package let description: String

  init(_ description: String) { self.description = description }
}
