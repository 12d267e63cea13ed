// What of the repositories' services remains. These conformances hold whatever the members are: without one
// that lists or sends changes, they say so.

extension FallbackRepository: ObservableRepository {
  /// Observes all repositories that report changes.
  ///
  /// The changes have no versions, because each repository counts its own.
  public func observeChanges(
    _ handler: @escaping @Sendable (RepositoryChange<Model>) -> Void
  ) -> Evocation.Observation {
    let all = roles((any ObservableRepository<Model>).self).map { member in
      member.observeChanges { handler(RepositoryChange($0.extent)) }
    }
    return Evocation.Observation { for observation in all { observation.cancel() } }
  }

  /// Whether any repository reports changes.
  package var isObservable: Bool { !roles((any ObservableRepository<Model>).self).isEmpty }
}

extension FallbackRepository: ChangesRepository {
  /// Whether any repository lists changes.
  public var listsChanges: Bool {
    roles((any ChangesRepository<Model>).self).contains { $0.listsChanges }
  }

  /// Returns what changed since a mark, which only the first repository gets.
  ///
  /// Of another one, the answer has all models and no mark, unless all are one service.
  public func changes(
    _ criteria: Criteria, since mark: String?
  ) async throws -> Response<Changes<Model>?> {
    try await ask(whoever: Self.isUnreachable) { member, place in
      let lister = member.role((any ChangesRepository<Model>).self)
      guard let lister, lister.listsChanges else { return Response(nil) }
      let sharesMarks = place == 0 || isOneService
      var answer = try await lister.changes(criteria, since: sharesMarks ? mark : nil)
      if !sharesMarks { answer.value?.mark = nil }
      return answer
    }
  }
}

extension FallbackRepository: LiveRepository {
  private typealias Live = any LiveRepository<Model>
  private typealias Stream = AsyncThrowingStream<RemoteChanges<Model>, any Error>

  /// Whether any repository's service sends changes.
  public var sendsLiveChanges: Bool { roles(Live.self).contains { $0.sendsLiveChanges } }

  /// Whether the stream of each repository begins with an element when the connection stands.
  public var announcesConnection: Bool { roles(Live.self).allSatisfy { $0.announcesConnection } }

  /// Returns what changes, from the first repository whose stream begins.
  ///
  /// A stream that ends after its first element ends with its error. The next one begins with the
  /// first repository again. Elements of another repository than the first have no marks and no
  /// versions, unless all are one service.
  public func liveChanges(
    since mark: String?
  ) -> AsyncThrowingStream<RemoteChanges<Model>, any Error> {
    let opened = Lock<(place: Int, stream: Stream)?>(nil)
    return AsyncThrowingStream {
      if let (place, stream) = opened.withLock({ $0 }) {
        return try await self.next(of: stream, at: place)
      }
      let first = try await self.ask(whoever: Self.isUnreachable) { member, place in
        guard let live = member.role(Live.self), live.sendsLiveChanges else {
          throw EvocationError.offline(model: "\(Model.self)")
        }
        let sharesMarks = place == 0 || self.isOneService
        let stream = live.liveChanges(since: sharesMarks ? mark : nil)
        let changes = try await self.next(of: stream, at: place)
        opened.withLock { $0 = (place, stream) }
        return Response(changes)
      }
      return first.value
    }
  }

  private func next(of stream: Stream, at place: Int) async throws -> RemoteChanges<Model>? {
    var iterator = stream.makeAsyncIterator()
    guard var changes = try await iterator.next() else { return nil }
    guard place > 0, !isOneService else { return changes }
    (changes.mark, changes.versions) = (nil, [])
    return changes
  }
}

extension FallbackRepository: BatchingRepository {
  package func find(
    _ criteria: Criteria, inBatchesOf size: Int,
    _ take: @escaping @Sendable (Response<[Model]>) async throws -> Void
  ) async throws -> Response<Int> {
    // What fails here is no failure of a service.
    let isTaken = Lock(true)
    return try await ask(
      whoever: { isTaken.withLock(\.self) && Self.isUnreachable($0) }
    ) { member, place in
      let takeOne = { @Sendable (batch: Response<[Model]>) async throws -> Void in
        var batch = batch
        if place > 0, !self.isOneService { batch.versions = [] }
        isTaken.withLock { $0 = false }
        try await take(batch)
        isTaken.withLock { $0 = true }
      }
      if let batching = member.role((any BatchingRepository<Model>).self) {
        return try await batching.find(criteria, inBatchesOf: size, takeOne)
      }
      let all = try await member.find(criteria)
      try await takeOne(all)
      return Response(all.value.count, metadata: all.metadata)
    }
  }
}

extension FallbackRepository: SharedService {
  private var services: [any SharedService] { roles() }

  package var service: String { services.first?.service ?? "\(Self.self)" }

  package var routeName: String { services.first?.routeName ?? service }

  package var liveName: String { services.first?.liveName ?? service }

  package var identifierKey: Criteria.Key { services.first?.identifierKey ?? "id" }

  package func omit(_ keys: Set<String>) { for service in services { service.omit(keys) } }

  package func observeCredential(
    _ handler: @escaping @Sendable () -> Void
  ) -> Evocation.Observation {
    let all = services.map { $0.observeCredential(handler) }
    return Evocation.Observation { for observation in all { observation.cancel() } }
  }
}

extension FallbackRepository: ParameterRepository, OpenEndedRepository, ForgettingRepository {
  package var parameters: Set<Criteria.Key> {
    roles((any ParameterRepository<Model>).self).reduce(into: []) { $0.formUnion($1.parameters) }
  }

  package var openEnd: String? {
    roles((any OpenEndedRepository<Model>).self).lazy.compactMap(\.openEnd).first
  }

  package func forgetAnswers() {
    for member in roles((any ForgettingRepository).self) { member.forgetAnswers() }
  }
}
