extension Route.Outcome {
  /// The outcome of what a repository did.
  init(_ metadata: Evocation.Metadata) {
    if let error = metadata.error {
      self = Cancellation.isCause(of: error) ? .cancelled : .failure
    } else {
      self = metadata.count == 0 ? .empty : .models
    }
  }
}
