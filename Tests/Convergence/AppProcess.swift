import Evocation
import EvocationTesting

/// One run of the app.
final class AppProcess: @unchecked Sendable {
  let device: Device
  let store: Store
  let connectivity: Reachability
  private(set) var isAlive = true
  private(set) var evocation: Evocation?
  var isPaused = false
  /// In which step each read that is under way began.
  var reads: [Int] = []
  /// What the changes that were told have come to, as who observes the models puts them together; nil where
  /// it would have to ask.
  private(set) var shown: [Record.Kind: [Name: Record]] = [:]
  private var observations: [Evocation.Observation] = []
  /// Who is told of another credential.
  var credentialHandlers: [@Sendable () -> Void] = []
  /// The last number of the service as it told the outbox of an instance, before that is written.
  var asked: [Name: Int] = [:]

  init(_ device: Device) {
    self.device = device
    let world = device.world
    let connectivity = Reachability(device.isOnline)
    self.connectivity = connectivity
    do {
      store = try device.open()
    } catch {
      fatalError("The store of device \(device.number) does not open: \(error)")
    }
    let evocation = Evocation(
      configuration: .init(
        clock: device.clock, chance: { world.chance() },
        outbox: .init(concurrency: world.options.concurrency, connectivity: connectivity)))
    self.evocation = evocation
    register(store.notes, evocation)
    register(store.remarks, evocation).sends(after: Note.self, by: \.note)
    observe(store.notes)
    observe(store.remarks)
  }

  @discardableResult
  private func register<Model: AppModel>(
    _ repository: any OutboxStore<Model>, _ evocation: Evocation
  ) -> Proxy<Model> {
    let world = device.world
    return evocation.register(for: Model.self)
      .conflicts { [weak self] in
        try self?.resolve($0) ?? .park
      }
      .repository(remote: Remote<Model>(process: self))
      .repository(local: WatchedStore(repository, self))
      .strategy(world.strategy())
  }

  /// Follows the changes that observers are told, as these do.
  private func observe<Model: AppModel>(_ repository: any OutboxStore<Model>) {
    shown[Model.kind] = device.rows.filter { $0.key.kind == Model.kind }
    observations.append(
      repository.observeChanges { [weak self] change in
        guard case .models(let stored, let updated, let removed) = change.extent else {
          self?.shown[Model.kind] = nil
          return
        }
        for model in removed { self?.shown[Model.kind]?[model.record.name] = nil }
        for model in stored + updated.map(\.after) {
          self?.shown[Model.kind]?[model.record.name] = model.record
        }
      })
  }

  /// Ends the process: from here on it reaches neither its store nor the service.
  func kill() {
    guard isAlive else { return }
    isAlive = false
    device.world.dying.append(self)
  }

  /// Lets go of what the process had, once none of its jobs is under way.
  func bury() {
    for observation in observations { observation.cancel() }
    evocation = nil
    credentialHandlers = []
    connectivity.end()
    let store = store
    Task { try? await StoreThread.value { await store.close() } }
  }

  /// The app's answer to a conflict.
  private func resolve<Model: AppModel>(
    _ conflict: Outbox.Conflict<Model>
  ) throws -> Outbox.Resolution<Model> {
    guard isAlive else { return .park }
    let world = device.world
    var resolver = world.options.resolver
    if resolver == .any { resolver = world.random.pick(Options.Resolver.allCases) }
    world.tally.resolved += 1
    var resolution: Outbox.Resolution<Model> =
      switch resolver {
      case .park: .park
      case .theirs: .theirs
      case .fields: try .mergedByFields(conflict)
      case .fieldsOrMine: try .mergedByFields(conflict, preferring: .mine)
      case .fieldsOrTheirs: try .mergedByFields(conflict, preferring: .theirs)
      case .own where conflict.kind != .remove: .merged(Self.own(conflict))
      case .own, .mine, .any: .mine
      }
    if world.options.versions == .property { resolution = Self.counted(resolution, conflict) }
    world.check.resolves(
      conflict.kind, conflict.base?.record, conflict.mine.record, conflict.theirs?.record,
      as: resolution, on: device)
    return resolution
  }

  private static func own<Model: AppModel>(_ conflict: Outbox.Conflict<Model>) -> Model {
    var record = conflict.mine.record
    record.title += "m"
    return Model(record)
  }

  /// Where the version is in the model, what is sent has to have theirs.
  private static func counted<Model: AppModel>(
    _ resolution: Outbox.Resolution<Model>, _ conflict: Outbox.Conflict<Model>
  ) -> Outbox.Resolution<Model> {
    var record: Record
    switch resolution {
    case .park, .theirs: return resolution
    case .mine where conflict.kind == .remove: return resolution
    case .mine: record = conflict.mine.record
    case .merged(let model): record = model.record
    }
    record.version = conflict.theirs?.record.version ?? 0
    return .merged(Model(record))
  }
}

/// Whether a device can reach the service.
final class Reachability: Connectivity, @unchecked Sendable {
  private(set) var isOnline: Bool
  private var continuations: [AsyncStream<Bool>.Continuation] = []

  init(_ isOnline: Bool) { self.isOnline = isOnline }

  func changes() -> AsyncStream<Bool> {
    let (stream, continuation) = AsyncStream.makeStream(of: Bool.self)
    continuations.append(continuation)
    return stream
  }

  func tell(_ isOnline: Bool) {
    self.isOnline = isOnline
    for continuation in continuations { continuation.yield(isOnline) }
  }

  func end() { for continuation in continuations { continuation.finish() } }
}
