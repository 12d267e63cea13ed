public import Evocation
public import Foundation

/// Plays a recording back as repositories, and says where a run differs from it.
///
/// ```swift
/// let replay = try TraceReplay(contentsOf: file)
/// let evocation = Evocation(configuration: .init(onTrace: replay.trace))
/// evocation.register(for: Car.self)
///   .repository(remote: replay.repository(for: Car.self, as: .remote))
///   .repository(local: InMemoryRepository<Car>())
/// ```
///
/// Then make the calls of the report; ``differences`` says where they went another way.
///
/// A question is answered with the first recorded answer to the same question that was not given yet,
/// at once. One that was not recorded is a difference, and fails.
///
/// Safe to use from any thread.
public final class TraceReplay: Sendable {
  private struct State {
    var calls: [RecordedCall?]
    /// Where in the recording the answers to a question are that were not given yet.
    var answers: [Question: ArraySlice<Int>] = [:]
    var traces: ArraySlice<Evocation.Trace>
    var number = 0
    var found: [String] = []
  }

  /// Whether the recording has models, values of criteria and texts of errors.
  public let hasValues: Bool

  private let state: Lock<State>

  /// Reads a recording.
  ///
  /// - Throws: ``RecordingError`` for what is no recording, or one of another version.
  public init(json: Data) throws {
    let recording = try Recording(json: json)
    hasValues = recording.hasValues
    var state = State(calls: recording.calls, traces: recording.traces[...])
    for (index, call) in recording.calls.enumerated() {
      state.answers[Question(call), default: []].append(index)
    }
    self.state = Lock(state)
  }

  /// Reads a recording from a file.
  ///
  /// - Throws: ``RecordingError``, and what the file system throws.
  public convenience init(contentsOf file: URL) throws {
    try self.init(json: Data(contentsOf: file))
  }

  /// Gives a repository that answers what was recorded of one.
  ///
  /// - Parameters:
  ///   - model: The model type.
  ///   - type: As which of the two it was recorded.
  ///   - standIn: Makes the models of a recording without values, from their numbers in the answer.
  /// - Returns: A repository that answers at once, and fails for what was not recorded.
  public func repository<Model: Codable & Sendable>(
    for model: Model.Type, as type: Evocation.RepositoryType,
    standIn: (@Sendable (Int) -> Model)? = nil
  ) -> some Repository<Model> {
    ReplayingRepository(type: type, replay: self, standIn: standIn)
  }

  /// Compares a call's trace with the recorded one; give it to a configuration as its `onTrace`.
  ///
  /// Repositories, roles, outcomes and counts are compared, and neither durations nor texts.
  public var trace: @Sendable (Evocation.Trace) -> Void {
    { [self] trace in
      state.withLock { state in
        state.number += 1
        guard let recorded = state.traces.popFirst() else {
          return state.found.append(
            "Call \(state.number), \(trace.call) \(trace.model), was not recorded.")
        }
        if let difference = trace.difference(from: recorded) {
          state.found.append("Call \(state.number), \(trace.call) \(trace.model): \(difference)")
        }
      }
    }
  }

  /// Where the run differed up to now, a sentence each; empty where it did not.
  public var differences: [String] { state.withLock { $0.found } }

  /// What was recorded, and was not asked yet, a sentence each.
  public var unplayed: [String] {
    state.withLock { state in
      state.calls.compactMap { call in
        call.map { "\($0.method) of the \($0.repository.rawValue) \($0.model) was not asked." }
      }
    }
  }

  func answer(
    _ method: String, _ given: JSONValue, model: String, _ type: Evocation.RepositoryType
  ) throws -> RecordedCall.Answer {
    let question = Question(method: method, model: model, repository: type, given: given)
    return try state.withLock { state throws(RecordingError) in
      if let index = state.answers[question]?.popFirst(), let call = state.calls[index] {
        state.calls[index] = nil
        return call.answer
      }
      let isRecorded = state.calls.contains {
        $0?.method == method && $0?.model == model && $0?.repository == type
      }
      let sentence =
        "\(method) of the \(type.rawValue) \(model) was called "
        + (isRecorded
          ? "with other arguments than recorded next."
          : "more often than recorded.")
      state.found.append(sentence)
      throw RecordingError(sentence)
    }
  }
}

/// What a repository is asked, by which its recorded answer is found.
private struct Question: Hashable {
  let method: String
  let model: String
  let repository: Evocation.RepositoryType
  let given: JSONValue
}

extension Question {
  init(_ call: RecordedCall) {
    self.init(
      method: call.method, model: call.model, repository: call.repository, given: call.given)
  }
}

extension Evocation.Trace {
  /// In what it differs from a recorded one; nil where it does not.
  fileprivate func difference(from recorded: Evocation.Trace) -> String? {
    guard call == recorded.call, model == recorded.model else {
      return "\(recorded.call) \(recorded.model) was recorded."
    }
    for (index, step) in steps.enumerated() {
      guard index < recorded.steps.count else { return "step \(index + 1) was not recorded." }
      let other = recorded.steps[index]
      guard step.repository == other.repository, step.role == other.role,
        step.outcome.isLike(other.outcome)
      else {
        return "step \(index + 1) was \(step.brief), and \(other.brief) was recorded."
      }
    }
    return steps.count < recorded.steps.count
      ? "step \(steps.count + 1) is missing, which was \(recorded.steps[steps.count].brief)." : nil
  }
}

extension Evocation.Trace.Step {
  fileprivate var brief: String {
    let end =
      switch outcome {
      case .answered(let count): "answered \(count)"
      case .failed: "failed"
      case .cancelled: "was cancelled"
      case .skipped: "was skipped"
      }
    return "\"\(repository.rawValue), \(role.rawValue), \(end)\""
  }
}

extension Evocation.Trace.Outcome {
  fileprivate func isLike(_ other: Self) -> Bool {
    switch (self, other) {
    case (.answered(let count), .answered(let otherCount)): count == otherCount
    case (.failed, .failed), (.cancelled, .cancelled), (.skipped, .skipped): true
    case (.answered, _), (.failed, _), (.cancelled, _), (.skipped, _): false
    }
  }
}
