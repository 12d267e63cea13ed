extension Route.Outcome {
  /// The outcome of what a repository did.
  init(_ metadata: Evocation.Metadata) {
    switch metadata.error {
    case nil: self = metadata.count == 0 ? .empty : .models
    case is CancellationError: self = .cancelled
    case .some: self = .failure
    }
  }
}
