extension Evocation {
  /// Executes a call; every async form uses this function.
  @inline(__always)
  func perform<Model: Sendable>(
    _ operation: Operation<Model>, _ given: Strategy.Rule?
  ) async -> Result<[Model]> {
    do throws(EvocationError) {
      let call = try Call(operation, proxy(for: Model.self))
      let rule = given?.fitted(to: operation.action) ?? call.wiring.strategy[operation.action]
      let isGiven = given != nil
      return await call.run(call.admit(rule, isGiven: isGiven), rule, isGiven: isGiven)
    } catch {
      return reported(refusal(error, operation), operation)
    }
  }

  /// Starts a call and returns its task; every callback form uses this function.
  func submit<Model: Sendable>(
    _ operation: Operation<Model>, _ given: Strategy.Rule?,
    _ callback: @escaping @Sendable (Result<[Model]>) -> Void
  ) -> Task<Void, Never> {
    do throws(EvocationError) {
      let proxy = try proxy(for: Model.self)
      let start = environment.start(ObjectIdentifier(proxy.line))
      let call = Call(operation, proxy, start: start)
      let rule = given.map { GivenRule($0.fitted(to: operation.action)) }
      let admission = call.admit(
        rule?.rule ?? call.wiring.strategy[operation.action], isGiven: given != nil)
      return Task(executorPreference: start) {
        let result = await call.run(
          admission, rule?.rule ?? call.wiring.strategy[call.operation.action],
          isGiven: rule != nil)
        start.pass()
        await call.proxy.environment.deliver(result, to: callback)
      }
    } catch {
      let result = reported(refusal(error, operation), operation)
      let start = environment.start(ObjectIdentifier(environment))
      return Task(executorPreference: start) { [environment] in
        start.pass()
        await environment.deliver(result, to: callback)
      }
    }
  }

  /// Returns the result, after passing it to `onTrace` and the log.
  private func reported<Model: Sendable>(
    _ result: Result<[Model]>, _ operation: Operation<Model>
  ) -> Result<[Model]> {
    environment.tell(
      CallEnd(
        record: result.record, criteria: operation.criteria, duration: .zero,
        origin: result.origin, error: result.error, isPending: false),
      in: environment.sessions.current)
    return result
  }

  private func refusal<Model: Sendable>(
    _ error: EvocationError, _ operation: Operation<Model>
  ) -> Result<[Model]> {
    Result(error: error, trace: .init(model: "\(Model.self)", call: operation.name))
  }
}

/// A write of one model.
///
/// The compiler specializes the calls on one model in your app's code, where it knows the model's
/// type. Making `Model?` of `[Model]` without knowing the type costs as much as the call itself.
/// Those calls use this type and the four functions below.
@usableFromInline
enum WriteOfOne {
  case store
  case update
  case remove

  fileprivate var action: any WriteAction.Type {
    switch self {
    case .store: StoreOne.self
    case .update: UpdateOne.self
    case .remove: RemoveOne.self
    }
  }
}

extension Evocation {
  @usableFromInline
  func performFindOne<Model: Sendable>(
    _ criteria: Criteria?, _ rule: Strategy.Rule?
  ) async -> Result<[Model]> {
    await perform(.read(FindOne.self, criteria ?? Criteria()) as Operation<Model>, rule)
  }

  @usableFromInline
  func submitFindOne<Model: Sendable>(
    _ criteria: Criteria?, _ rule: Strategy.Rule?,
    _ callback: @escaping @Sendable (Result<[Model]>) -> Void
  ) -> Task<Void, Never> {
    submit(.read(FindOne.self, criteria ?? Criteria()), rule, callback)
  }

  @usableFromInline
  func perform<Model: Sendable>(
    _ write: WriteOfOne, _ model: [Model], rule: Strategy.Rule?
  ) async -> Result<[Model]> {
    await perform(.write(write.action, model), rule)
  }

  @usableFromInline
  func submit<Model: Sendable>(
    _ write: WriteOfOne, _ model: [Model], rule: Strategy.Rule?,
    _ callback: @escaping @Sendable (Result<[Model]>) -> Void
  ) -> Task<Void, Never> {
    submit(.write(write.action, model), rule, callback)
  }
}
