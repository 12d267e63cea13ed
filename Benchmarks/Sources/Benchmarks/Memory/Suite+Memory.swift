import Evocation
import Harness

extension Suite {
  /// What calls leave behind when they are over.
  static var memory: Suite { Suite("memory", MemoryCases().all) }
}

/// The cases of the suite "memory": each makes 10,000 calls and looks at what remained.
private struct MemoryCases {
  private static let batch = 10_000
  private let evocation: Evocation

  init() {
    evocation = Evocation()
    evocation.register(for: Tracked.self).strategy(Strategy(Strategy.Rule(target: .remote)))
      .repository(remote: PromptRepository<Tracked>(held: []))
      .repository(local: PromptRepository<Tracked>(held: []))
  }

  var all: [Case] {
    let forms: [(String, @Sendable (Evocation) async -> Void)] = [
      ("find, async", { _ = await $0.find(model: Tracked.self) }),
      ("store, async", { _ = await $0.store([Tracked()]) }),
      ("storeOne, async", { _ = await $0.storeOne(Tracked()) }),
      ("find, callback", { await $0.find(model: Tracked.self) { _ in }.value }),
      ("storeOne, callback", { await $0.storeOne(Tracked()) { _ in }.value }),
    ]
    let bytes = forms.map { name, call in
      Case("\(name): bytes left by a call", .bytes, bar: .atMost(0.1)) { [evocation] in
        let before = Memory.inUse
        for _ in 0..<Self.batch { await call(evocation) }
        await Self.settle()
        return Double(Memory.inUse - before) / Double(Self.batch)
      }
    }
    let objects = forms.map { name, call in
      Case("\(name): models left by a call", .objects, bar: .atMost(0)) { [evocation] in
        for _ in 0..<Self.batch { await call(evocation) }
        await Self.settle()
        return Double(Tracked.alive) / Double(Self.batch)
      }
    }
    return bytes + objects
  }

  /// Waits until other threads have let go of what they held on return.
  private static func settle() async {
    try? await Task.sleep(for: .milliseconds(2))
  }
}
