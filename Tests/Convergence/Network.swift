import Evocation

/// What is under way between devices and service, which the seed delivers, loses, repeats or forgets.
final class Network: @unchecked Sendable {
  /// One request and who waits for its answer; used by the simulation's one thread.
  final class Exchange: @unchecked Sendable {
    let number: Int
    let process: AppProcess
    let request: Service.Request
    let key: String
    fileprivate var waiter: CheckedContinuation<Service.Answer, Never>?

    /// Whether the client waits for an answer.
    var isOpen: Bool { waiter != nil }

    init(_ number: Int, _ process: AppProcess, _ request: Service.Request, _ key: String) {
      self.number = number
      self.process = process
      self.request = request
      self.key = key
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

    /// What it says, for an order that does not depend on which task came first.
    var text: String {
      switch self {
      case .request(let exchange): "\(exchange.process.device.number) \(exchange.request)"
      case .answer(let exchange, let answer):
        "\(exchange.process.device.number) \(exchange.request) \(answer)"
      }
    }
  }

  var flights: [Flight] = []
  /// Those whose clients wait.
  private(set) var open: [Exchange] = []
  private var count = 0

  /// Sends a request, and waits for the answer until the task is cancelled.
  func ask(_ process: AppProcess, _ request: Service.Request, _ key: String) async -> Service.Answer
  {
    count += 1
    let exchange = Exchange(count, process, request, key)
    return await withTaskCancellationHandler {
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

  static let lost = ServiceError(failureKind: .transient)
}

/// The service as a process of a device reaches it.
struct Remote: Repository {
  let process: AppProcess

  private func ask(_ request: Service.Request) async throws -> Response<[Note]> {
    try Task.checkCancellation()
    let world = process.device.world
    guard process.isAlive else { throw StoreError.processEnded }
    guard process.device.isOnline else { throw Network.lost }
    let key = IdempotencyKey.current ?? "none"
    if request.note != nil { world.check.sends(request, key, process) }
    return Response(try await world.network.ask(process, request, key).get())
  }

  /// Asks for all, or for one by its id; the simulation reads nothing else.
  func find(_ criteria: Criteria) async throws -> Response<[Note]> {
    try await ask(.find(id: criteria["id"] as? Int))
  }
  func store(_ notes: [Note]) async throws -> Response<[Note]> {
    try await ask(.store(notes[0]))
  }
  func update(_ notes: [Note]) async throws -> Response<[Note]> {
    try await ask(.update(notes[0]))
  }
  func storeOrUpdate(_ notes: [Note]) async throws -> Response<[Note]> {
    try await ask(.storeOrUpdate(notes[0]))
  }
  func remove(_ notes: [Note]) async throws -> Response<[Note]> {
    try await ask(.remove(notes[0]))
  }
}
