/// Wraps a callback repository as a ``Repository``.
package struct CallbackAdapter<Base: CallbackRepository>: Repository {
  package typealias Model = Base.Model

  private let base: Base
  private let caller: CallbackCaller

  package init(
    _ base: Base,
    type: Evocation.RepositoryType,
    model: String,
    _ onTrace: (@Sendable (Evocation.Trace) -> Void)?
  ) {
    self.base = base
    caller = CallbackCaller(type: type, model: model, onTrace: onTrace)
  }

  package func find(_ criteria: Criteria) async throws -> Response<[Model]> {
    try await caller.call("find") { base.find(criteria: criteria.nonTrivial, completion: $0) }
      .many()
  }

  package func findOne(_ criteria: Criteria) async throws -> Response<Model?> {
    try await caller.call("findOne") {
      base.findOne(criteria: criteria.nonTrivial, completion: $0)
    }
  }

  package func count(_ criteria: Criteria) async throws -> Int {
    try await caller.call("count") { base.count(criteria: criteria.nonTrivial, completion: $0) }
      .value ?? 0
  }

  package func exists(_ criteria: Criteria) async throws -> Bool {
    try await caller.call("exists") { base.exists(criteria: criteria.nonTrivial, completion: $0) }
      .value ?? false
  }

  package func store(_ models: [Model]) async throws -> Response<[Model]> {
    try await caller.call("store") { base.store(models: models, completion: $0) }.many()
  }

  package func storeOne(_ model: Model) async throws -> Response<Model?> {
    try await caller.call("storeOne") { base.storeOne(model: model, completion: $0) }
  }

  package func update(_ models: [Model]) async throws -> Response<[Model]> {
    try await caller.call("update") { base.update(models: models, completion: $0) }.many()
  }

  package func updateOne(_ model: Model) async throws -> Response<Model?> {
    try await caller.call("updateOne") { base.updateOne(model: model, completion: $0) }
  }

  package func storeOrUpdate(_ models: [Model]) async throws -> Response<[Model]> {
    try await caller.call("storeOrUpdate") {
      base.storeOrUpdate(models: models, completion: $0)
    }
    .many()
  }

  package func remove(_ models: [Model]) async throws -> Response<[Model]> {
    try await caller.call("remove") { base.remove(models: models, completion: $0) }.many()
  }
}

extension Criteria {
  /// The criteria, or nil if they match everything, as repositories of Evocation 1.0 expect.
  fileprivate var nonTrivial: Criteria? {
    isEverything ? nil : self
  }
}

extension Response {
  fileprivate func many<Model>() -> Response<[Model]> where Value == [Model]? {
    map { $0 ?? [] }
  }
}

/// Calls a method that takes a completion, and waits for its answer.
private struct CallbackCaller: Sendable {
  let type: Evocation.RepositoryType
  let model: String
  let onTrace: (@Sendable (Evocation.Trace) -> Void)?

  /// Returns the first answer.
  ///
  /// - Throws: The error in the answer; ``EvocationError/unanswered(_:model:method:)`` if the
  ///   repository released the completion without calling it; `CancellationError` immediately when
  ///   the task is cancelled.
  func call<Value: Sendable>(
    _ method: String,
    _ body: (@escaping @Sendable (Evocation.Result<Value>) -> Void) -> Void
  ) async throws -> Response<Value?> {
    try Task.checkCancellation()
    let promise = Promise<Answer<Value>>()
    begin(method, promise, body)
    switch await promise.value(ifCancelled: .cancelled) {
    case .given(let result):
      if let error = result.error { throw error }
      return Response(result.data, metadata: result.values)
    case .released:
      throw EvocationError.unanswered(type, model: model, method: method)
    case .cancelled:
      throw CancellationError()
    }
  }

  /// Calls the method, and returns without holding the completion.
  ///
  /// This is a function of its own, so that afterwards only the callee holds the completion.
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
      outcome: .failed("it answered a second time, and Evocation kept the first answer"),
      attempts: 1
    )
    onTrace?(Evocation.Trace(model: model, call: method, steps: [step]))
  }
}

extension CallbackCaller {
  /// How a completion ended.
  private enum Answer<Value: Sendable>: Sendable {
    case given(Evocation.Result<Value>)
    case released
    case cancelled
  }

  /// The completion that a callee holds: takes one answer, and notices if it is released without
  /// one.
  private final class Completion<Value: Sendable>: Sendable {
    private let promise: Promise<Answer<Value>>
    private let onSecond: @Sendable () -> Void
    private let isAnswered = Lock(false)

    init(_ promise: Promise<Answer<Value>>, onSecond: @escaping @Sendable () -> Void) {
      self.promise = promise
      self.onSecond = onSecond
    }

    deinit { promise.fulfil(.released) }

    func answer(_ result: Evocation.Result<Value>) {
      let isFirst = isAnswered.withLock { isAnswered in
        defer { isAnswered = true }
        return !isAnswered
      }
      if isFirst { promise.fulfil(.given(result)) } else { onSecond() }
    }
  }
}
