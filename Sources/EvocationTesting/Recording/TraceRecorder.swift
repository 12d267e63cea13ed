public import Evocation
public import Foundation

/// Records a run, so that a test can play it back.
///
/// ```swift
/// let recorder = TraceRecorder(includingValues: true)
/// let evocation = Evocation(configuration: .init(onTrace: recorder.trace))
/// evocation.register(for: Car.self)
///   .repository(remote: recorder.recording(service, as: .remote))
///   .repository(local: InMemoryRepository<Car>())
/// ```
///
/// After the run ``write(to:)`` makes a JSON file, which ``TraceReplay`` plays back. It has what each
/// recorded repository was asked and answered, and the trace of each call. Without values, neither
/// models nor values of criteria nor texts of errors are in it, but their numbers, keys and kinds.
/// Models come back as they were; of one that JSON cannot hold, such as one with a decimal that is not a
/// number, the replay says so where it would have to answer it.
///
/// Safe to use from any thread. What is recorded is kept in memory, up to ``limit`` calls.
public final class TraceRecorder: Sendable {
  /// Whether models, values of criteria and texts of errors are recorded.
  public let includesValues: Bool

  /// How many questions, and how many traces, are recorded at most; later ones are left out.
  public let limit: Int

  private let recording: Lock<Recording>

  /// Makes a recorder.
  ///
  /// - Parameters:
  ///   - includingValues: Whether models, values of criteria and texts of errors are recorded, which may
  ///     be the user's.
  ///   - limit: How many questions, and how many traces, are recorded at most.
  public init(includingValues: Bool = false, limit: Int = 100_000) {
    includesValues = includingValues
    self.limit = limit
    recording = Lock(Recording(hasValues: includingValues))
  }

  /// Records a call's trace; give it to a configuration as its `onTrace`.
  public var trace: @Sendable (Evocation.Trace) -> Void {
    { [self] trace in
      let trace = includesValues ? trace : trace.withoutTexts
      recording.withLock { recording in
        if recording.traces.count < limit { recording.traces.append(trace) }
      }
    }
  }

  /// Gives a repository that records what it is asked, and asks another one.
  ///
  /// It is a plain `Repository`: what a local repository can do beside that, such as take a write
  /// whole, tell its changes or keep an outbox, is not seen through it. So record the remote.
  public func recording<Model: Codable & Sendable>(
    _ repository: some Repository<Model>, as type: Evocation.RepositoryType
  ) -> some Repository<Model> {
    RecordingRepository(base: repository, type: type, recorder: self)
  }

  /// Gives the recording as JSON.
  public func json() throws -> Data { try recording.withLock { $0 }.json() }

  /// Writes the recording into a file, in place of one that is there.
  ///
  /// - Throws: What the file system throws.
  public func write(to file: URL) throws { try json().write(to: file, options: .atomic) }

  func record(_ call: RecordedCall) {
    recording.withLock { recording in
      if recording.calls.count < limit { recording.calls.append(call) }
    }
  }
}

extension Evocation.Trace {
  /// The trace without the texts of errors.
  var withoutTexts: Self {
    var trace = self
    for index in steps.indices {
      if case .failed = steps[index].outcome { trace.steps[index].outcome = .failed("") }
    }
    return trace
  }
}

/// What a repository is given, as it is recorded.
struct GivenValues: Sendable {
  let hasValues: Bool

  func criteria(_ criteria: Criteria) -> JSONValue {
    let whole = JSONValue(of: criteria)
    return hasValues ? whole : whole.withoutValues
  }

  func models<Model: Encodable>(_ models: [Model]) -> JSONValue {
    hasValues ? .list(models.map { JSONValue(of: $0) }) : .integer(Int64(models.count))
  }
}

extension JSONValue {
  /// The same shape without its texts and numbers, but for the names of operators and keys.
  fileprivate var withoutValues: JSONValue {
    switch self {
    case .null, .bool, .integer, .unsigned, .number, .decimal: .null
    case .text: .text(ByteText(""))
    case .list(let elements): .list(elements.map(\.withoutValues))
    case .object(let fields):
      .object(
        Dictionary(
          uniqueKeysWithValues: fields.map { name, value in
            if case .text = value, ["key", "isNull"].contains(name) { return (name, value) }
            return (name, value.withoutValues)
          }))
    }
  }
}
