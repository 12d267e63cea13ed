public import Observation

/// The models that match criteria, for a view that is drawn again when they change.
///
/// ```swift
/// let cars = ObservedModels(Car.self, where: \.origin == "Japan")
/// ```
///
/// Keep it in a `@State`. It begins when a view first reads it, and ends when it is released. A
/// view that your app creates and never draws costs nothing.
///
/// - It shows the models of the local store immediately, and each later change.
/// - It fetches as the strategy's rule for `find` says. For example, it does not fetch while the
///   local store is fresh under ``Strategy/cacheFirst(maxAge:)``. It fetches again when your app
///   becomes active, when the connection returns, and when you set other ``criteria``. The rule
///   saves the fetched models to the local store, and the view shows them from there.
/// - With `fetches: false` it only observes the local store and asks no server.
///
/// It belongs to the main actor.
@MainActor @Observable
public final class ObservedModels<Model: Sendable> {
  private var shown: [Model] = []
  private var last: Evocation.Result<[Model]>?
  private var failure: (any Error)?
  private var fetches = 0
  private var asked: Criteria.Of<Model>

  @ObservationIgnored private let evocation: Evocation
  @ObservationIgnored private let rule: Strategy.Rule?
  @ObservationIgnored private let isFetched: Bool
  /// Whether a repository reports its changes, so that fetched models are shown from there.
  @ObservationIgnored private var isObserved = true
  @ObservationIgnored private var tasks: [Task<Void, Never>] = []

  /// Creates the models of a view.
  ///
  /// - Parameters:
  ///   - model: The registered model type. You may register it later, before a view reads the
  ///     models.
  ///   - criteria: The models to show; all models by default.
  ///   - rule: The rule to fetch by; nil for the strategy's rule for `find`.
  ///   - fetches: Whether to ask the server. Without it, the view shows the models of the local
  ///     store.
  ///   - evocation: The instance at which the model type is registered.
  public init(
    _ model: Model.Type, where criteria: Criteria.Of<Model> = [:], rule: Strategy.Rule? = nil,
    fetches: Bool = true, in evocation: Evocation = .shared
  ) {
    self.evocation = evocation
    self.rule = rule
    isFetched = fetches
    asked = criteria
  }

  deinit { for task in tasks { task.cancel() } }

  /// The models in the order of the criteria; empty before the first result.
  public var models: [Model] {
    begin()
    return shown
  }

  /// The last result, with its origin and trace; nil before the first one.
  public var result: Evocation.Result<[Model]>? {
    begin()
    return last
  }

  /// Why the last fetch failed, or why the models cannot be read; nil after a success.
  ///
  /// It is also set if the rule fell back to the local store, so that a view can say that it is
  /// offline while it shows its models.
  public var error: (any Error)? {
    begin()
    return failure ?? last?.error
  }

  /// Whether a request to the server is running.
  public var isFetching: Bool {
    begin()
    return fetches > 0
  }

  /// The models to show; set others at any time, for example from a search field.
  ///
  /// The earlier models stay until the local store has answered.
  public var criteria: Criteria.Of<Model> {
    get { asked }
    set {
      guard newValue != asked else { return }
      asked = newValue
      guard !tasks.isEmpty else { return }
      end()
      begin()
    }
  }

  /// Fetches again at any age, as pull-to-refresh does, and returns when the answer is saved.
  ///
  /// - Returns: The result. ``error`` has its error too.
  @discardableResult
  public func refresh() async -> Evocation.Result<[Model]> {
    begin()
    return await fetch(atAnyAge: true)
  }

  private func begin() {
    guard tasks.isEmpty else { return }
    let results = evocation.observed(Model.self, asked.criteria)
    tasks = [
      Task { [weak self] in
        for await result in results {
          guard let self, !Task.isCancelled else { return }
          self.take(result)
        }
      }
    ]
    guard isFetched else { return }
    let moments = evocation.validations(of: Model.self)
    tasks.append(
      Task { [weak self] in
        while await moments.next() != nil {
          guard let self, !Task.isCancelled else { return }
          await self.fetch(atAnyAge: false)
        }
      })
  }

  private func end() {
    for task in tasks { task.cancel() }
    tasks = []
  }

  /// Shows a result of the observed repository, unless fetches are not saved to that repository.
  private func take(_ result: Evocation.Result<[Model]>) {
    if isFetched, result.origin == .local, !isSaved { return }
    if isFetched, case .notObservable? = result.error as? EvocationError {
      isObserved = false
      return
    }
    last = result
    if let data = result.data { shown = data }
  }

  /// The rule of a fetch, which waits for the server even if the strategy's rule revalidates later.
  private var findRule: Strategy.Rule? {
    var rule = rule ?? (try? evocation.proxy(for: Model.self))?.wiring.strategy[.find]
    rule?.revalidates = false
    return rule
  }

  /// Whether Evocation saves fetched models to the local repository.
  private var isSaved: Bool {
    findRule.map { $0.target == .local || $0.synchronize != .off } ?? true
  }

  @discardableResult
  private func fetch(atAnyAge: Bool) async -> Evocation.Result<[Model]> {
    let criteria = asked
    var rule = findRule
    if atAnyAge { rule?.maxAge = nil }
    fetches += 1
    let result = await evocation.find(
      model: Model.self, criteria: criteria.criteria, rule: rule)
    fetches -= 1
    guard criteria == asked, !(result.error is CancellationError) else { return result }
    failure = result.error ?? (result.didFallBack ? result.metadata[.remote]?.error : nil)
    // The observation shows the models if the local repository has them, and reports its changes.
    if !isSaved || !isObserved || last?.data == nil {
      last = result
      if let data = result.data { shown = data }
    }
    return result
  }
}

extension Evocation {
  /// Yields now, and each time that Evocation validates observed caches: when the app becomes
  /// active, when the connection returns, and when your app registers the model type again.
  func validations(of model: Any.Type) -> Broadcast<Void>.Events {
    presence.follow()
    let moments = registry.validations.events(keeping: 1)
    let buffer = moments.buffer
    let registrations = environment.registrations.observe {
      if $0 == ObjectIdentifier(model) { buffer.put(()) }
    }
    buffer.put(())
    return Broadcast<Void>.Events(
      buffer: buffer,
      observation: Observation { [observation = moments.observation] in
        observation.cancel()
        registrations.cancel()
      })
  }
}
