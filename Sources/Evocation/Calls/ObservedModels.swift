public import Observation

/// The models that match criteria, for a view that is drawn again when they change.
///
/// ```swift
/// let cars = ObservedModels(of: Car.self, criteria: ["origin": "Japan"])
/// ```
///
/// It lives on the main actor. Observing begins when it is made and ends when it is released.
@MainActor @Observable
public final class ObservedModels<Model: Sendable> {
  /// The models of the last answer that had any to give; empty before the first.
  public private(set) var models: [Model] = []

  /// The last answer; nil before the first.
  public private(set) var result: Evocation.Result<[Model]>?

  @ObservationIgnored private var task: Task<Void, Never>?

  /// Begins to observe.
  public init(
    _ evocation: Evocation = .shared, of model: Model.Type, criteria: Criteria? = nil
  ) {
    let results = evocation.observed(model, criteria)
    task = Task { [weak self] in
      for await result in results {
        guard let self else { return }
        self.result = result
        if let data = result.data { self.models = data }
      }
    }
  }

  deinit { task?.cancel() }

  /// Why the last answer had nothing to give; nil after one that had.
  public var error: (any Error)? { result?.error }
}
