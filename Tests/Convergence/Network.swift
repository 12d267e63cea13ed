import Evocation

/// What is under way between devices and service, which the seed delivers, loses, repeats or forgets.
final class Network: @unchecked Sendable {
  /// One request and who waits for its answer; used by the simulation's one thread.
  final class Exchange: @unchecked Sendable {
    let process: AppProcess
    let request: Service.Request
    let key: String
    /// The version that the service is to have, and what the write was made on.
    let condition: String?
    let base: Record?
    /// The number of the credential that it was sent with.
    let credential: Int
    /// What the check knew of the entry as it was sent, and of the service by then.
    let waiting: Waiting?
    let asked: Int?
    /// The last number that the service had given as it answered a read.
    var seen: Int?
    fileprivate var waiter: CheckedContinuation<Service.Answer, Never>?

    /// Whether the client waits for an answer.
    var isOpen: Bool { waiter != nil }

    init(_ process: AppProcess, _ request: Service.Request) {
      self.process = process
      self.request = request
      key = IdempotencyKey.current ?? "none"
      condition =
        if case .version(let version)? = WriteBase.current?.condition { version } else { nil }
      base = (WriteBase.current?.model as? any AppModel)?.record
      credential = process.device.credential
      waiting = process.device.waiting.first { [key] in $0.entry.id == key }
      asked = request.record.flatMap { process.asked[$0.name] }
    }

    func end(_ answer: Service.Answer) {
      guard let waiter else { return }
      self.waiter = nil
      waiter.resume(returning: answer)
    }
  }

  enum Flight {
    case request(Exchange)
    case answer(Exchange, Service.Answer)

    var exchange: Exchange {
      switch self {
      case .request(let exchange), .answer(let exchange, _): exchange
      }
    }

    /// What it says, for an order that does not depend on which task came first.
    var text: String {
      let text = "\(exchange.process.device.number) \(exchange.request)"
      return if case .answer(_, let answer) = self { "\(text) \(answer)" } else { text }
    }
  }

  var flights: [Flight] = []
  /// Those whose clients wait.
  private(set) var open: [Exchange] = []

  /// Sends a request, and waits for the answer until the task is cancelled.
  func ask(_ exchange: Exchange) async -> Service.Answer {
    await withTaskCancellationHandler {
      await withCheckedContinuation { waiter in
        exchange.waiter = waiter
        self.open.append(exchange)
        self.flights.append(.request(exchange))
        if Task.isCancelled { self.end(exchange, .failure(Self.lost)) }
      }
    } onCancel: {
      self.end(exchange, .failure(Self.lost))
    }
  }

  func end(_ exchange: Exchange, _ answer: Service.Answer) {
    open.removeAll { $0 === exchange }
    exchange.end(answer)
  }

  /// Forgets who waits in a process that was killed; what it sent is under way all the same.
  func drop(_ process: AppProcess) {
    for exchange in open where exchange.process === process {
      end(exchange, .failure(Self.lost))
    }
  }

  static let lost = ServiceError(.transient)
}

/// The service as a process of a device reaches it.
struct Remote<Model: AppModel>: Repository, SharedService {
  let process: AppProcess

  var service: String { "the service" }

  func observeCredential(_ handler: @escaping @Sendable () -> Void) -> Evocation.Observation {
    process.credentialHandlers.append(handler)
    return Evocation.Observation {}
  }

  private func ask(
    _ request: Service.Request, comparing id: Int? = nil
  ) async throws -> Response<[Model]> {
    try Task.checkCancellation()
    let world = process.device.world
    guard process.isAlive else { throw StoreError.processEnded }
    guard process.device.isOnline else { throw Network.lost }
    let exchange = Network.Exchange(process, request)
    if request.record != nil { world.check.sends(exchange) }
    let states = try await world.network.ask(exchange).get()
    if let id { process.asked[Name(kind: Model.kind, id: id)] = exchange.seen }
    let isSilent =
      if case .find(_, nil) = request { !world.options.listsVersions } else { false }
    let models = states.compactMap { $0.record.map(Model.init) }
    guard world.options.versions == .beside, !isSilent else { return Response(models) }
    return Response(models, versions: states.map(\.tag))
  }

  /// Asks for all, or for one by its id; the simulation reads nothing else.
  func find(_ criteria: Criteria) async throws -> Response<[Model]> {
    try await ask(.find(Model.kind, id: criteria["id"] as? Int))
  }
  /// Asks for what the outbox compares with before it sends; the app's reads of one model find all that match.
  func findOne(_ criteria: Criteria) async throws -> Response<Model?> {
    let id = criteria["id"] as? Int
    return try await ask(.find(Model.kind, id: id), comparing: id).first
  }
  func store(_ models: [Model]) async throws -> Response<[Model]> {
    try await ask(.write(.store, models[0].record))
  }
  func update(_ models: [Model]) async throws -> Response<[Model]> {
    try await ask(.write(.update, models[0].record))
  }
  func storeOrUpdate(_ models: [Model]) async throws -> Response<[Model]> {
    try await ask(.write(.storeOrUpdate, models[0].record))
  }
  func remove(_ models: [Model]) async throws -> Response<[Model]> {
    try await ask(.write(.remove, models[0].record))
  }
}
