extension Evocation {
  /// Carries a call out: the one way of all async calls.
  @inline(__always)
  func perform<Model: Sendable>(_ operation: Operation<Model>) async -> Result<[Model]> {
    do throws(EvocationError) {
      let call = try Call(operation, proxy(for: Model.self))
      return await call.run(call.admit())
    } catch {
      return refusal(error, operation)
    }
  }

  /// Starts a call and returns: the one way of all callback calls.
  func submit<Model: Sendable>(
    _ operation: Operation<Model>, _ callback: @escaping @Sendable (Result<[Model]>) -> Void
  ) -> Task<Void, Never> {
    do throws(EvocationError) {
      let proxy = try proxy(for: Model.self)
      let start = environment.start(ObjectIdentifier(proxy.line))
      let call = Call(operation, proxy, start)
      let admission = call.admit()
      return Task(executorPreference: start) {
        let result = await call.run(admission)
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
