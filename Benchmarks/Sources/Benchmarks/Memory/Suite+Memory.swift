import Evocation
import Harness

extension Suite {
  /// The memory that calls leave behind.
  static var memory: Suite { Suite("memory", MemoryCases().all) }
}

/// The cases of the suite "memory": each makes many calls and measures what remains.
private struct MemoryCases {
  private static let batch = 10_000

  /// The bytes for each call that are not a leak.
  ///
  /// The smallest allocation takes 32 bytes, so the case notices an allocation that remains after each
  /// call. Smaller amounts come from the caches of threads that begin and end.
  private static let tolerance = 2.0

  private let evocation: Evocation

  init() {
    evocation = Evocation()
    evocation.register(for: Tracked.self).strategy(Strategy(Strategy.Rule(target: .remote)))
      .repository(remote: PromptRepository<Tracked>(held: []))
      .repository(local: PromptRepository<Tracked>(held: []))
  }

  private let forms: [(name: String, run: @Sendable (Evocation) async -> Void)] = [
    ("find, async", { await $0.repeatedly { _ = await $0.find(model: Tracked.self) } }),
    ("store, async", { await $0.repeatedly { _ = await $0.store([Tracked()]) } }),
    ("storeOne, async", { await $0.repeatedly { _ = await $0.storeOne(Tracked()) } }),
    (
      "find, callback",
      { await $0.atOnce { $0.find(model: Tracked.self, callback: $1) } }
    ),
    ("store, callback", { await $0.atOnce { $0.store([Tracked()], callback: $1) } }),
  ]

  var all: [Case] {
    forms.map { name, run in
      Case("\(name): bytes left by a call", .bytes, bar: .atMost(Self.tolerance)) {
        [evocation] in
        let before = Memory.inUse
        await run(evocation)
        return Double(Memory.inUse - before) / Double(Self.batch)
      }
    }
      + forms.map { name, run in
        Case("\(name): models left by a call", .objects, bar: .atMost(0)) { [evocation] in
          await run(evocation)
          return Double(Tracked.alive) / Double(Self.batch)
        }
      }
  }
}

extension Evocation {
  /// Makes a batch of calls one after another.
  fileprivate func repeatedly(_ call: (Evocation) async -> Void) async {
    for _ in 0..<10_000 { await call(self) }
  }

  /// Makes a batch of calls, a thousand at a time, and waits until other threads have released them.
  fileprivate func atOnce(
    _ call: (Evocation, @escaping @Sendable (Result<[Tracked]>) -> Void) -> Task<Void, Never>
  ) async {
    for _ in 0..<10 {
      await Countdown.run(1_000) { countdown in
        for _ in 0..<1_000 { _ = call(self) { _ in countdown.tick() } }
      }
    }
    try? await Task.sleep(for: .milliseconds(5))
  }
}
