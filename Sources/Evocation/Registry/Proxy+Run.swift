extension Proxy {
  /// Carries a call out where the caller runs.
  func run(_ operation: Operation<Model>) async -> Evocation.Result<[Model]> {
    let call = Call(operation, self)
    let result: Evocation.Result<[Model]>
    if let criteria = operation.criteria {
      result = await call.read(criteria)
    } else if WriteScope.isInside(line) {
      result = refusal(operation)
    } else {
      result = await call.write(line.enter())
    }
    environment.onTrace?(result.trace)
    return result
  }

  /// Takes the call's place in the line now, and gives what carries it out later.
  func prepare(
    _ operation: Operation<Model>
  ) -> @Sendable () async -> Evocation.Result<[Model]> {
    let call = Call(operation, self)
    if let criteria = operation.criteria {
      return { await self.told(call.read(criteria)) }
    }
    guard !WriteScope.isInside(line) else { return { self.told(self.refusal(operation)) } }
    let ticket = line.enter()
    return { await self.told(call.write(ticket)) }
  }

  private func told(_ result: Evocation.Result<[Model]>) -> Evocation.Result<[Model]> {
    environment.onTrace?(result.trace)
    return result
  }

  private func refusal(_ operation: Operation<Model>) -> Evocation.Result<[Model]> {
    Evocation.Result(
      error: EvocationError.nestedWrite(model: model),
      trace: .init(model: model, call: operation.name)
    )
  }
}
