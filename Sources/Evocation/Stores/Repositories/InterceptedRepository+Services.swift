// How calls pass the interceptor, and what Evocation alone asks of a wrapped repository. Both are in one
// file, so that a program that is linked with a static archive gets the conformances too.

extension InterceptedRepository {
  func read<Value: Sendable>(
    _ kind: InterceptedCall<Model>.Kind, _ criteria: Criteria,
    _ body: (Criteria) async throws -> Value
  ) async throws -> Value {
    try await interceptor.perform(InterceptedCall<Model>(kind, criteria: criteria)) {
      try await body($0.criteria)
    }
  }

  func write(
    _ kind: InterceptedCall<Model>.Kind, _ models: [Model],
    _ body: ([Model]) async throws -> Response<[Model]>
  ) async throws -> Response<[Model]> {
    try await interceptor.perform(InterceptedCall<Model>(kind, models: models)) {
      try await body($0.models)
    }
  }

  /// Writes one model; an interceptor that passes on none writes nothing.
  func write(
    _ kind: InterceptedCall<Model>.Kind, _ model: Model,
    _ body: (Model) async throws -> Response<Model?>
  ) async throws -> Response<Model?> {
    try await interceptor.perform(InterceptedCall<Model>(kind, models: [model])) { call in
      guard let model = call.models.first else { return Response(nil) }
      return try await body(model)
    }
  }
}

extension InterceptedRepository: BatchingRepository where Wrapped: BatchingRepository {
  package func find(
    _ criteria: Criteria, inBatchesOf size: Int,
    _ take: @escaping @Sendable (Response<[Model]>) async throws -> Void
  ) async throws -> Response<Int> {
    try await read(.find, criteria) { try await wrapped.find($0, inBatchesOf: size, take) }
  }
}

extension InterceptedRepository: UnitRepository where Wrapped: UnitRepository {
  package var unitSize: Int { wrapped.unitSize }

  package func prepare(
    _ kind: Outbox.EntryKind, _ model: Model
  ) async throws -> PreparedWrite<Model>? {
    try await wrapped.prepare(kind, model)
  }

  package func send(_ requests: [any Sendable]) async throws -> [any Sendable] {
    try await interceptor.perform(InterceptedCall<Model>(.together)) { _ in
      try await wrapped.send(requests)
    }
  }
}

extension InterceptedRepository: SharedService where Wrapped: SharedService {
  package var service: String { wrapped.service }

  package var routeName: String { wrapped.routeName }

  package var liveName: String { wrapped.liveName }

  package var identifierKey: Criteria.Key { wrapped.identifierKey }

  package func omit(_ keys: Set<String>) { wrapped.omit(keys) }

  package func observeCredential(
    _ handler: @escaping @Sendable () -> Void
  ) -> Evocation.Observation {
    wrapped.observeCredential(handler)
  }
}

extension InterceptedRepository: ParameterRepository where Wrapped: ParameterRepository {
  package var parameters: Set<Criteria.Key> { wrapped.parameters }
}

extension InterceptedRepository: OpenEndedRepository where Wrapped: OpenEndedRepository {
  package var openEnd: String? { wrapped.openEnd }
}

extension InterceptedRepository: ForgettingRepository where Wrapped: ForgettingRepository {
  package func forgetAnswers() { wrapped.forgetAnswers() }
}

extension InterceptedRepository: InspectedRemote where Wrapped: InspectedRemote {
  package var gateState: GateState { wrapped.gateState }
}

extension InterceptedRepository: InspectedLocal where Wrapped: InspectedLocal {
  package var databaseState: DatabaseState? {
    get async throws { try await wrapped.databaseState }
  }

  package func plan(for criteria: Criteria) async throws -> [String] {
    try await wrapped.plan(for: criteria)
  }
}
