import Evocation

@testable import CoreSupport

/// What the design's sentences about routing say of one call, written down once more and plainly.
///
/// It knows nothing of the machine that routes, so that the two can be compared.
struct Oracle: Equatable {
  var origin: Evocation.RepositoryType?
  var isEmpty = false
  var error: Evocation.RepositoryType?
  var synchronizationError: Evocation.RepositoryType?
  var calls: [Evocation.RepositoryType: [String]] = [:]

  /// How a repository answers.
  enum Outcome: CaseIterable {
    case models
    case empty
    /// It fails with an error that may pass.
    case failure
    /// It fails with an error that does not.
    case refusal

    /// How a repository answers in a row of an explanation.
    init(_ event: Strategy.Explanation.Event) {
      self =
        switch event.outcome {
        case .models: .models
        case .empty, .unknown: .empty
        case .failure: event.isRefusal ? .refusal : .failure
        }
    }
  }

  init(_ rule: Strategy.Rule, _ call: Evocation.Call, target: Outcome, other: Outcome) {
    let first = rule.target
    let second: Evocation.RepositoryType = first == .remote ? .local : .remote
    calls[first] = [call.rawValue]
    let isRead = call.action.isRead
    let wantsMore = target == .empty && isRead && rule.fallsBack == .onErrorOrEmpty
    let fails = { $0 == Outcome.failure || $0 == .refusal }
    let mayPass = target == .failure || target == .refusal && rule.fallsBack != .onTransientError
    if rule.fallback != nil, mayPass || wantsMore {
      calls[second] = [call.rawValue]
      // No call before this one has fetched anything.
      if isRead, fails(target), second == .local, other == .empty {
        error = first
      } else if !fails(other) {
        origin = second
        isEmpty = other == .empty
      } else {
        error = second
        origin = fails(target) ? nil : first
        isEmpty = !fails(target)
      }
      return
    }
    guard !fails(target) else {
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
    if fails(other) { synchronizationError = second }
  }
}
