extension Call {
  /// The error that the verdict asks for.
  func error(
    _ verdict: Route.Verdict, _ metadata: Evocation.MetadataByRepository
  ) -> (any Error)? {
    switch verdict.error {
    case nil: nil
    case .of(let type): metadata[type]?.error
    case .missing(let type): EvocationError.missingRepository(type, model: proxy.model)
    case .noOutbox:
      EvocationError.outboxUnavailable(model: proxy.model, action: operation.action)
    case .cancelled: CancellationError()
    }
  }

  /// Why the counterpart did not follow, when the verdict is that it did not.
  func synchronizationError(
    _ verdict: Route.Verdict, _ metadata: Evocation.MetadataByRepository
  ) -> (any Error)? {
    guard verdict.didNotFollow, let origin = verdict.origin else { return nil }
    return metadata[origin.counterpart]?.error
  }
}
