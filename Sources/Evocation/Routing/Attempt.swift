/// How asking one repository went, apart from the models that it answered.
struct Attempt: Sendable {
  let outcome: Route.Outcome
  let count: Int
  let values: [String: any Sendable]
  let error: (any Error)?
  let times: Int
  let duration: Duration

  /// The repository answered.
  init(count: Int, values: [String: any Sendable], times: Int, duration: Duration) {
    outcome = count == 0 ? .empty : .models
    self.count = count
    self.values = values
    error = nil
    self.times = times
    self.duration = duration
  }

  /// The repository failed, or the call was cancelled.
  init(_ error: any Error, times: Int = 1, duration: Duration = .zero) {
    outcome = error is CancellationError ? .cancelled : .failure
    count = 0
    values = [:]
    self.error = error
    self.times = times
    self.duration = duration
  }
}
