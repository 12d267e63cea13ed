import Dispatch

extension Evocation {
  /// Carries a call out: the one way of the nine async calls.
  func perform<Model: Sendable>(_ operation: Operation<Model>) async -> Result<[Model]> {
    do throws(EvocationError) {
      return try await proxy(for: Model.self).run(operation)
    } catch {
      return Result(error: error, trace: .init(model: "\(Model.self)", call: operation.name))
    }
  }

  /// Starts a call and returns: the one way of the nine callback calls.
  func submit<Model: Sendable, Value: Sendable>(
    _ operation: Operation<Model>,
    _ transform: @escaping @Sendable (Result<[Model]>) -> Result<Value>,
    _ callback: @escaping @Sendable (Result<Value>) -> Void
  ) -> Task<Void, Never> {
    let run = prepare(operation)
    return environment.starter.start { [environment] in
      await environment.deliver(transform(await run()), to: callback)
    }
  }

  private func prepare<Model: Sendable>(
    _ operation: Operation<Model>
  ) -> @Sendable () async -> Result<[Model]> {
    do throws(EvocationError) {
      return try proxy(for: Model.self).prepare(operation)
    } catch {
      let call = operation.name
      return { Result(error: error, trace: .init(model: "\(Model.self)", call: call)) }
    }
  }
}

extension Environment {
  /// Calls the callback on the configured queue, and waits until it has returned.
  func deliver<Value: Sendable>(
    _ result: Evocation.Result<Value>,
    to callback: @escaping @Sendable (Evocation.Result<Value>) -> Void
  ) async {
    guard let callbackQueue else { return callback(result) }
    await withCheckedContinuation { continuation in
      callbackQueue.async {
        callback(result)
        continuation.resume()
      }
    }
  }
}

extension Evocation.Result {
  /// The result about the one model of an array.
  func one<Model>() -> Evocation.Result<Model> where Value == [Model] {
    mapData(\.first)
  }
}
