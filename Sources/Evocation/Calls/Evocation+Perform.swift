import Dispatch

extension Evocation {
  /// Carries a call out: the one way of the nine async calls.
  @inline(__always)
  func perform<Model: Sendable>(_ operation: Operation<Model>) async -> Result<[Model]> {
    do throws(EvocationError) {
      let call = try Call(operation, proxy(for: Model.self))
      return await call.run(at: call.enter())
    } catch {
      return refusal(error, operation)
    }
  }

  /// Starts a call and returns: the one way of the nine callback calls.
  func submit<Model: Sendable>(
    _ operation: Operation<Model>, _ callback: @escaping @Sendable (Result<[Model]>) -> Void
  ) -> Task<Void, Never> {
    do throws(EvocationError) {
      let proxy = try proxy(for: Model.self)
      let start = environment.start(ObjectIdentifier(proxy.line))
      let call = Call(operation, proxy, start)
      let place = call.enter()
      return Task(executorPreference: start) {
        let result = await call.run(at: place)
        start.pass()
        await call.proxy.environment.deliver(result, to: callback)
      }
    } catch {
      let result = refusal(error, operation)
      let start = environment.start(ObjectIdentifier(environment))
      return Task(executorPreference: start) { [environment] in
        start.pass()
        await environment.deliver(result, to: callback)
      }
    }
  }

  private func refusal<Model: Sendable>(
    _ error: EvocationError, _ operation: Operation<Model>
  ) -> Result<[Model]> {
    Result(error: error, trace: .init(model: "\(Model.self)", call: operation.name))
  }
}

extension Environment {
  /// Calls the callback on the configured queue, and waits until it has returned.
  @inline(__always)
  func deliver<Model: Sendable>(
    _ result: Evocation.Result<[Model]>,
    to callback: @escaping @Sendable (Evocation.Result<[Model]>) -> Void
  ) async {
    guard let callbackQueue else { return callback(result) }
    await deliver(result, to: callback, on: callbackQueue)
  }

  @inline(never)
  private func deliver<Model: Sendable>(
    _ result: Evocation.Result<[Model]>,
    to callback: @escaping @Sendable (Evocation.Result<[Model]>) -> Void,
    on callbackQueue: DispatchQueue
  ) async {
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
    mapData { $0.first }
  }
}
