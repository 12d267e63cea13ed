import Evocation

/// One who asks for a page in a task of their own, and whose having asked can be waited for.
struct Caller: Sendable {
  /// Where callers take turns: one has its turn when the others wait.
  @globalActor private actor Turns {
    static let shared = Turns()
  }

  private let task: Task<PageResult, Never>
  private let turn = Promise<Void>()

  init(_ ask: @escaping @Sendable () async -> PageResult) {
    let turn = turn
    task = Task { @Turns in
      turn.fulfil(())
      return await ask()
    }
  }

  /// How it ended for them.
  var result: PageResult {
    get async { await task.value }
  }

  /// Waits until they have asked, and wait themselves.
  func hasAsked() async {
    await turn.value
    await Task { @Turns in }.value
  }

  func cancel() { task.cancel() }
}
