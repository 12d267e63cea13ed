import Evocation
import EvocationTesting

/// A source whose store is a list of words for each tag, and whose answers a test gives.
final class FakeSource: CacheDataSource, Sendable {
  typealias Cache = [String]
  typealias FetchResult = [String]

  struct Requirements: CacheRequirements, Codable, Hashable, ExpressibleByStringLiteral {
    let tag: String
    var maxAge: Duration?

    init(tag: String, maxAge: Duration? = nil) {
      self.tag = tag
      self.maxAge = maxAge
    }

    init(stringLiteral tag: String) { self.init(tag: tag) }
  }

  /// How what is saved is observed.
  enum Observing: Sendable {
    /// The words that are there, and then each change.
    case words
    /// The same, with each change told when the test says so.
    case late
    /// The words that are there, and no more.
    case once
    /// Nothing, without an end.
    case never
    /// Nothing, and the end.
    case nothing
    case failure
  }

  private struct Listener {
    let tag: String
    let continuation: AsyncThrowingStream<[String], any Error>.Continuation
  }

  private struct State {
    var words: [String: [String]] = [:]
    var listeners: [Int: Listener] = [:]
    var last = 0
    var fetched: [String] = []
    var saves: [[String]] = []
    var deleted: [String] = []
    var kept: [[String]] = []
    var observations = 0
    var observing = Observing.words
    var save: @Sendable ([String]) async throws -> Void = { _ in }
    var delete: @Sendable () async throws -> Void = {}
    var told: [(tag: String, words: [String])] = []
  }

  let maxAge: Duration?
  let maxUsableAge: Duration?
  let automaticallyRefresh: Bool
  let refreshEvery: Duration?
  let limits: CacheLimits
  /// How many observations have begun, to be waited for.
  let observed = Gate.Counter()
  /// How many caches were deleted, to be waited for.
  let deletions = Gate.Counter()
  private let state = Lock(State())
  private let fetch: @Sendable (Int) async throws -> [String]

  /// Makes a source; the closure is given the number of the fetch, from one.
  init(
    maxAge: Duration? = nil, maxUsableAge: Duration? = nil, automaticallyRefresh: Bool = true,
    refreshEvery: Duration? = nil, limits: CacheLimits = .none, words: [String]? = nil,
    fetch: @escaping @Sendable (Int) async throws -> [String] = { ["v\($0)"] }
  ) {
    self.maxAge = maxAge
    self.maxUsableAge = maxUsableAge
    self.automaticallyRefresh = automaticallyRefresh
    self.refreshEvery = refreshEvery
    self.limits = limits
    self.fetch = fetch
    state.withLock { $0.words["words"] = words }
  }

  /// Makes a source of which each fetch waits at a gate.
  convenience init(behind gate: Gate) {
    self.init { count in
      try await gate.pass()
      return ["v\(count)"]
    }
  }

  var fetches: Int { state.withLock { $0.fetched.count } }
  var fetchedTags: [String] { state.withLock { $0.fetched } }
  var saves: [[String]] { state.withLock { $0.saves } }
  var observations: Int { state.withLock { $0.observations } }
  var deletedTags: [String] { state.withLock { $0.deleted } }
  var keptTags: [[String]] { state.withLock { $0.kept } }
  var words: [String]? { state.withLock { $0.words["words"] } }

  /// Says how observations that begin from now on go.
  var observing: Observing {
    get { state.withLock { $0.observing } }
    set { state.withLock { $0.observing = newValue } }
  }

  /// Says what happens before something is saved.
  func onSave(_ body: @escaping @Sendable ([String]) async throws -> Void) {
    state.withLock { $0.save = body }
  }

  /// Says what happens before something is deleted.
  func onDelete(_ body: @escaping @Sendable () async throws -> Void) {
    state.withLock { $0.delete = body }
  }

  /// Changes what is stored, as the app may do by other means.
  func write(_ words: [String], tag: String = "words") {
    state.withLock { state in
      state.words[tag] = words
      guard case .late = state.observing else { return Self.tell(&state, tag, words) }
      state.told.append((tag, words))
    }
  }

  /// Tells those who observe of the changes that they have not been told.
  func tellChanges() {
    state.withLock { state in
      for (tag, words) in state.told { Self.tell(&state, tag, words) }
      state.told = []
    }
  }

  private static func tell(_ state: inout State, _ tag: String, _ words: [String]) {
    for listener in state.listeners.values where listener.tag == tag {
      listener.continuation.yield(words)
    }
  }

  func maxAge(for requirements: Requirements) -> Duration? { requirements.maxAge ?? maxAge }

  func fetchFreshCache(_ requirements: Requirements) async throws -> [String] {
    let count = state.withLock { state in
      state.fetched.append(requirements.tag)
      return state.fetched.count
    }
    return try await fetch(count)
  }

  func saveCache(_ fetched: [String], requirements: Requirements) async throws {
    try await state.withLock { $0.save }(fetched)
    state.withLock { $0.saves.append(fetched) }
    write(fetched, tag: requirements.tag)
  }

  func deleteCache(_ requirements: Requirements, keeping others: [Requirements]) async throws {
    try await state.withLock { $0.delete }()
    state.withLock { state in
      state.deleted.append(requirements.tag)
      state.kept.append(others.map(\.tag).sorted())
    }
    write([], tag: requirements.tag)
    deletions.increase()
  }

  func observeCache(_ requirements: Requirements) -> AsyncThrowingStream<[String], any Error> {
    defer { observed.increase() }
    return AsyncThrowingStream { continuation in
      state.withLock { state in
        state.observations += 1
        let words = state.words[requirements.tag] ?? []
        switch state.observing {
        case .words, .late: continuation.yield(words)
        case .once:
          continuation.yield(words)
          return continuation.finish()
        case .never: break
        case .nothing: return continuation.finish()
        case .failure: return continuation.finish(throwing: Trouble.observing)
        }
        state.last += 1
        let number = state.last
        state.listeners[number] = Listener(tag: requirements.tag, continuation: continuation)
        continuation.onTermination = { [weak self] _ in
          self?.state.withLock { $0.listeners[number] = nil }
        }
      }
    }
  }
}
