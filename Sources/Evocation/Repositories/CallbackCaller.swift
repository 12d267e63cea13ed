/// Calls something that answers by completion, and waits for its one answer.
struct CallbackCaller: Sendable {
  let type: Evocation.RepositoryType
  let model: String
  let onTrace: (@Sendable (Evocation.Trace) -> Void)?

  /// Gives the first answer, or its error.
  ///
  /// - Throws: The answer's error, ``EvocationError/unanswered(_:model:method:)`` when the
  ///   completion was let go, and `CancellationError` at once when the task is cancelled.
  func call<Value: Sendable>(
    _ method: String,
    _ body: (@escaping @Sendable (Evocation.Result<Value>) -> Void) -> Void
  ) async throws -> Response<Value?> {
    try Task.checkCancellation()
    let promise = Promise<Answer<Value>>()
    begin(method, promise, body)
    let answer = await withCancellationHandler {
      await promise.value
    } onCancel: {
      promise.fulfil(.cancelled)
    }
    switch answer {
    case .given(let result):
      if let error = result.error { throw error }
      return Response(result.data, metadata: result.values)
    case .letGo:
      throw EvocationError.unanswered(type, model: model, method: method)
    case .cancelled:
      throw CancellationError()
    }
  }

  /// Lets go of the completion on return, so that the callee alone keeps it.
  private func begin<Value: Sendable>(
    _ method: String,
    _ promise: Promise<Answer<Value>>,
    _ body: (@escaping @Sendable (Evocation.Result<Value>) -> Void) -> Void
  ) {
    let completion = Completion(promise) { reportSecondAnswer(method) }
    body { completion.answer($0) }
  }

  private func reportSecondAnswer(_ method: String) {
    let step = Evocation.Trace.Step(
      repository: type,
      role: .target,
      outcome: .failed("it answered a second time, and the first answer was kept"),
      attempts: 1
    )
    onTrace?(Evocation.Trace(model: model, call: method, steps: [step]))
  }
}

extension CallbackCaller {
  /// What became of a completion.
  private enum Answer<Value: Sendable>: Sendable {
    case given(Evocation.Result<Value>)
    case letGo
    case cancelled
  }

  /// What a callee holds: it takes one answer, and notices when it is let go without.
  private final class Completion<Value: Sendable>: Sendable {
    private let promise: Promise<Answer<Value>>
    private let onSecond: @Sendable () -> Void
    private let isAnswered = Lock(false)

    init(_ promise: Promise<Answer<Value>>, onSecond: @escaping @Sendable () -> Void) {
      self.promise = promise
      self.onSecond = onSecond
    }

    deinit { promise.fulfil(.letGo) }

    func answer(_ result: Evocation.Result<Value>) {
      let isFirst = isAnswered.withLock { isAnswered in
        defer { isAnswered = true }
        return !isAnswered
      }
      if isFirst { promise.fulfil(.given(result)) } else { onSecond() }
    }
  }
}
