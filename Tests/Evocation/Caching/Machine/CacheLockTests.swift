import Evocation
import EvocationTesting
import Foundation
import TestTraits
import Testing

@testable import CoreSupport
@testable import EvocationCaching

/// An app's own code that comes back to the cache from wherever the cache calls it.
@Suite(.patient) struct CachingLockTests {
  private typealias Repository = CacheRepository<FakeSource>

  private let bench = CacheBench()

  @Test(arguments: ["clear", "update", "invalidate", "others"])
  func `A fetch that reads its own cache may also write it, or set requirements`(
    action: String
  ) async throws {
    let standstill = Standstill()
    defer { standstill.isOver() }
    let holder = Lock<Repository?>(nil)
    let source = FakeSource(maxAge: .seconds(60), automaticallyRefresh: false) { count in
      guard count == 2, let repository = holder.withLock({ $0 }) else { return ["v\(count)"] }
      // The read would wait for this fetch, and be cancelled with it.
      async let reading = repository.valueIfAvailable(from: .origin)
      await Task.yield()
      switch action {
      case "clear": try await repository.clear()
      case "update": try await repository.update(["mine"])
      case "invalidate": try await repository.invalidate()
      default: repository.requirements = "others"
      }
      _ = await reading
      return ["v2"]
    }
    let repository = try await bench.fetched(source)
    holder.withLock { $0 = repository }
    var watch = Watch(repository.observe())
    #expect(await watch.next() == "yes/v1")
    let result = try await repository.refresh(force: true)
    #expect(result == (action == "invalidate" ? .successful : .skipped(.cancelled)))
    repository.requirements = "words"
    try await repository.update(["end"])
    #expect(await watch.states(until: "yes/end").last == "yes/end")
    #expect(try await repository.value() == ["end"])
    holder.withLock { $0 = nil }
  }

  @Test func `A fetch's own handler of cancellations may set requirements`() async throws {
    let standstill = Standstill()
    defer { standstill.isOver() }
    let holder = Lock<Repository?>(nil)
    let gate = Gate()
    let source = FakeSource(automaticallyRefresh: false) { count in
      try await withTaskCancellationHandler {
        try await gate.pass()
      } onCancel: {
        holder.withLock { $0 }?.requirements = "others"
      }
      return ["v\(count)"]
    }
    let repository = bench.repository(source)
    holder.withLock { $0 = repository }
    var watch = Watch(repository.observe())
    #expect(await watch.next() == "no")
    let refreshing = Task { try await repository.refresh() }
    await gate.arrivals(1)
    try await repository.clear()
    #expect(try await refreshing.value == .skipped(.cancelled))
    #expect(repository.requirements?.tag == "others")
    gate.open()
    #expect(try await repository.refresh() == .successful)
    #expect(
      await watch.states(until: "yes/v2/just finished the first fetch, just refreshed").last
        == "yes/v2/just finished the first fetch, just refreshed")
    holder.withLock { $0 = nil }
  }

  @Test func `What ends with an observation of what is saved may set requirements`() async throws {
    let standstill = Standstill()
    defer { standstill.isOver() }
    let ended = Gate.Counter()
    let source = CallingBack()
    let repository = CacheRepository(source, ledger: bench.ledger, clock: bench.clock)
    source.onTermination.withLock {
      $0 = { [weak repository] in
        repository?.requirements = "two"
        ended.increase()
      }
    }
    repository.requirements = "one"
    try await repository.update("first")
    var watch = Watch(repository.observe())
    #expect(await watch.state()?.cache == "first")
    // The observation is begun anew after it, which ends the one before.
    try await repository.update("second")
    await ended.reach(1)
    #expect(repository.requirements?.tag == "two")
    #expect(await watch.state(where: { $0.tag == "two" }) != nil)
    source.onTermination.withLock { $0 = nil }
  }

  @Test func `What the source says of requirements may ask the repository`() async throws {
    let standstill = Standstill()
    defer { standstill.isOver() }
    let source = CallingBack()
    let repository = CacheRepository(source, ledger: bench.ledger, clock: bench.clock)
    source.onTag.withLock { $0 = { [weak repository] in _ = repository?.requirements } }
    for tag in ["one", "one", "two"] {
      repository.requirements = CacheTag(tag)
      #expect(try await repository.refresh(force: true) == .successful)
    }
    source.onTag.withLock { $0 = nil }
  }

  @Test func `Contents that compare, and go, by asking for the cache do not stand still`()
    async throws
  {
    let standstill = Standstill()
    defer { standstill.isOver() }
    let source = WordSource()
    let repository = CacheRepository(source, ledger: bench.ledger, clock: bench.clock)
    Word.onUse.withLock { $0 = { [weak repository] in _ = repository?.state } }
    repository.requirements = "word"
    var watch = Watch(repository.observe())
    for number in 0..<20 {
      try await repository.update(Word(number))
      #expect(await watch.state(where: { $0.cache?.number == number }) != nil)
      source.tell()
    }
    try await repository.clear()
    #expect(await watch.state(where: { $0.cache == nil }) != nil)
    Word.onUse.withLock { $0 = nil }
  }

  @Test func `A repository that goes cancels what it began when no lock is held`() async throws {
    let standstill = Standstill()
    defer { standstill.isOver() }
    let (gate, cancelled) = (Gate(), Gate.Counter())
    let source = FakeSource(automaticallyRefresh: false) { [bench] count in
      try await withTaskCancellationHandler {
        try await gate.pass()
      } onCancel: {
        // Another repository of the same tag, which takes the place of the one that goes.
        let next = bench.repository(FakeSource())
        _ = next.state
        cancelled.increase()
      }
      return ["v\(count)"]
    }
    var repository: Repository? = bench.repository(source)
    let refreshing = Task { [weak repository] in try await repository?.refresh() }
    await gate.arrivals(1)
    repository?.requirements = nil
    repository = nil
    await cancelled.reach(1)
    #expect(try await refreshing.value == .skipped(.cancelled))
  }

  @Test func `What is shown stays in order, whoever comes back meanwhile`() async throws {
    let source = FakeSource(automaticallyRefresh: false)
    let repository = try await bench.fetched(source)
    var watch = Watch(repository.observe())
    #expect(await watch.next() == "yes/v1")
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<8 {
        group.addTask {
          for _ in 0..<50 {
            _ = try? await repository.refresh(force: true)
            try? await repository.invalidate()
          }
        }
      }
    }
    try await repository.update(["end"])
    #expect(await watch.states(until: "yes/end").last == "yes/end")
    source.write(["more"])
    #expect(await watch.next() == "yes/more")
  }
}

/// A source of one text for each tag, that calls back from its observations and from its tags.
private final class CallingBack: CacheDataSource {
  let automaticallyRefresh = false
  let onTermination = Lock<(@Sendable () -> Void)?>(nil)
  let onTag = Lock<(@Sendable () -> Void)?>(nil)
  private let texts = Lock<[String: String]>([:])

  func tag(for requirements: CacheTag) -> String {
    onTag.withLock { $0 }?()
    return requirements.tag
  }

  func fetchFreshCache(_ requirements: CacheTag) async throws -> String { "fetched" }

  func saveCache(_ fetched: String, requirements: CacheTag) async throws {
    texts.withLock { $0[requirements.tag] = fetched }
  }

  func observeCache(_ requirements: CacheTag) -> AsyncThrowingStream<String, any Error> {
    AsyncThrowingStream { continuation in
      continuation.yield(texts.withLock { $0[requirements.tag] } ?? "none")
      continuation.onTermination = { [weak self] _ in self?.onTermination.withLock { $0 }?() }
    }
  }
}

/// A content that asks for the cache when it is compared, and when it goes.
private final class Word: Equatable, Sendable {
  static let onUse = Lock<(@Sendable () -> Void)?>(nil)

  let number: Int

  init(_ number: Int) {
    self.number = number
  }

  deinit { Self.onUse.withLock { $0 }?() }

  static func == (left: Word, right: Word) -> Bool {
    onUse.withLock { $0 }?()
    return left.number == right.number
  }
}

/// A store of one word.
private final class WordSource: LocalCacheDataSource {
  private let word = Lock<Word?>(nil)
  private let listeners = Lock<[AsyncThrowingStream<Word, any Error>.Continuation]>([])

  /// Tells who observes what is there, once more.
  func tell() {
    guard let number = word.withLock({ $0?.number }) else { return }
    for listener in listeners.withLock({ $0 }) { listener.yield(Word(number)) }
  }

  func saveCache(_ fetched: Word, requirements: CacheTag) async throws {
    let old = word.withLock { word in
      defer { word = fetched }
      return word
    }
    withExtendedLifetime(old) {}
  }

  func observeCache(_ requirements: CacheTag) -> AsyncThrowingStream<Word, any Error> {
    AsyncThrowingStream { continuation in
      if let number = word.withLock({ $0?.number }) { continuation.yield(Word(number)) }
      listeners.withLock { $0.append(continuation) }
    }
  }
}
