import Evocation

/// What the design's sentences about routing say of one call, written down once more and plainly.
///
/// It knows nothing of the machine that routes, so that the two can be compared.
struct Oracle: Equatable {
  var origin: Evocation.RepositoryType?
  var isEmpty = false
  var error: Evocation.RepositoryType?
  var synchronizationError: Evocation.RepositoryType?
  var calls: [Evocation.RepositoryType: [String]] = [:]

  init(
    _ rule: Strategy.Rule,
    _ call: Evocation.Call,
    target: Strategy.Explanation.Outcome,
    other: Strategy.Explanation.Outcome
  ) {
    let first = rule.target
    let second: Evocation.RepositoryType = first == .remote ? .local : .remote
    calls[first] = [call.rawValue]
    let isRead = call.action.isRead
    let wantsMore = target == .empty && isRead && rule.fallsBack == .onErrorOrEmpty
    if rule.fallback != nil, target == .failure || wantsMore {
      calls[second] = [call.rawValue]
      if other != .failure {
        origin = second
        isEmpty = other == .empty
      } else {
        error = second
        origin = target == .failure ? nil : first
        isEmpty = target != .failure
      }
      return
    }
    guard target != .failure else {
      error = first
      return
    }
    origin = first
    isEmpty = target == .empty
    let follows =
      rule.synchronize == .upsert && target == .models
      || rule.synchronize == .mirror
    guard follows else { return }
    calls[second] = [
      call.action.isRemoval ? "remove" : rule.synchronize == .mirror ? "mirror" : "storeOrUpdate"
    ]
    if other == .failure { synchronizationError = second }
  }
}
