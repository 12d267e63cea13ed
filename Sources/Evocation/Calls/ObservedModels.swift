public import Observation

/// The models that match criteria, for a view that is drawn again when they change.
///
/// ```swift
/// let cars = ObservedModels(Car.self, where: \.origin == "Japan")
/// ```
///
/// Keep it in a `@State`. It begins when a view first reads it, and ends when it is released: a view
/// that is made and never drawn costs nothing.
///
/// - It shows what the local store has immediately, and each later change.
/// - It fetches as the strategy's rule for `find` says: for example not while the local store is fresh
///   under ``Strategy/cacheFirst(maxAge:)``. It does so again when your app becomes active, when the
///   connection returns, and when you set other ``criteria``. What is fetched is saved to the local
///   store by the rule, and shown from there.
/// - With `fetches: false` it only looks at the local store and asks no server.
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
  @ObservationIgnored private var tasks: [Task<Void, Never>] = []

  /// Creates the models of a view.
  ///
  /// - Parameters:
  ///   - model: The registered model type. You may register it later, before a view reads the models.
  ///   - criteria: The models to show; all models by default.
  ///   - rule: The rule to fetch by; nil for the strategy's rule for `find`.
  ///   - fetches: Whether the server is asked. Without it the view shows what the local store has.
  ///   - evocation: Where the model type is registered.
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

  /// The models in the order of the criteria; empty before the first answer.
  public var models: [Model] {
    begin()
    return shown
  }

  /// The last answer, with its origin and trace; nil before the first.
  public var result: Evocation.Result<[Model]>? {
    begin()
    return last
  }

  /// Why the last fetch failed, or why the models cannot be read; nil once that has succeeded.
  ///
  /// It is set too where the rule fell back to the local store, so that a view can say that it is
  /// offline while it shows its models.
  public var error: (any Error)? {
    begin()
    return failure ?? last?.error
  }

  /// Whether the server is being asked.
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

  /// Asks the server at any age, as pull-to-refresh does, and returns when the answer is saved.
  ///
  /// - Returns: The answer; its error is in ``error`` too.
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
    let moments = evocation.validations()
    tasks.append(
      Task { [weak self] in
        for await _ in moments {
          guard let self, !Task.isCancelled else { return }
          await self.fetch(atAnyAge: false)
        }
      })
  }

  private func end() {
    for task in tasks { task.cancel() }
    tasks = []
  }

  /// Takes what an observed repository has, unless it is one that fetches are not saved to.
  private func take(_ result: Evocation.Result<[Model]>) {
    if isFetched, result.origin == .local, !isSaved { return }
    last = result
    if let data = result.data { shown = data }
  }

  /// The rule of a fetch, which waits for the server where the strategy's would revalidate later.
  private var findRule: Strategy.Rule? {
    var rule = rule ?? (try? evocation.proxy(for: Model.self))?.wiring.strategy[.find]
    rule?.revalidates = false
    return rule
  }

  /// Whether the local repository gets what is fetched.
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
    // Shown from the local repository, where that has it.
    if !isSaved || last?.data == nil { take(fetched: result) }
    return result
  }

  private func take(fetched result: Evocation.Result<[Model]>) {
    last = result
    if let data = result.data { shown = data }
  }
}

extension ObservedModels {
  /// Creates models that only look at the local store.
  @available(
    *, deprecated,
    message:
      "Write ObservedModels(Car.self, where: …), which fetches; add fetches: false to only look."
  )
  public convenience init(
    _ evocation: Evocation = .shared, of model: Model.Type, criteria: Criteria? = nil
  ) {
    self.init(model, where: Criteria.Of(criteria ?? Criteria()), fetches: false, in: evocation)
  }
}

extension Evocation {
  /// Now, and each time that observed caches are validated: when the app becomes active, and when the
  /// connection returns.
  func validations() -> AsyncStream<Void> {
    presence.follow()
    let (stream, moments) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
    let observation = registry.validations.observe { moments.yield() }
    moments.onTermination = { _ in observation.cancel() }
    moments.yield()
    return stream
  }
}
