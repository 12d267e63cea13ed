// How one repository after another is asked. See ``FallbackRepository`` for the rules.
extension FallbackRepository {
  /// Counts the models, and says in the metadata who was asked.
  package func counted(_ criteria: Criteria) async throws -> Response<Int> {
    try await read { Response(try await $0.count(criteria)) }
  }

  /// Checks whether any model matches, and says in the metadata who was asked.
  package func anyExists(_ criteria: Criteria) async throws -> Response<Bool> {
    try await read { Response(try await $0.exists(criteria)) }
  }

  func read<Value: Sendable>(
    _ body: (any Repository<Model>) async throws -> Response<Value>
  ) async throws -> Response<Value> {
    try await ask(whoever: Self.isUnreachable) { member, _ in try await body(member) }
  }

  func write<Value: Sendable>(
    _ body: (any Repository<Model>) async throws -> Response<Value>
  ) async throws -> Response<Value> {
    // The version is the first service's, and the others could not compare it with theirs.
    let isConditional: Bool =
      switch WriteBase.current?.condition {
      case .version(.some): !isOneService
      case .version(nil), .remembered, nil: false
      }
    return try await ask(
      whoever: { !isConditional && !FallbackError.mayHaveArrived($0) }
    ) { member, _ in try await body(member) }
  }

  /// Asks one repository after another, until one answers or its error allows no further one.
  func ask<Value: Sendable>(
    whoever goesOn: (any Error) -> Bool,
    _ body: (any Repository<Model>, Int) async throws -> Response<Value>
  ) async throws -> Response<Value> {
    var failed: [FallbackError.Attempt] = []
    for (place, member) in members.enumerated() {
      do {
        var answer = try await body(member, place)
        if place > 0, !isOneService { answer.versions = [] }
        answer.metadata["answeredBy"] = name(of: member)
        if !failed.isEmpty { answer.metadata["unreachable"] = failed }
        return answer
      } catch {
        if Task.isCancelled { throw CancellationError() }
        guard !(error is CancellationError), goesOn(error) else { throw error }
        failed.append(.init(name(of: member), error))
      }
    }
    guard let first = failed.first else {
      throw EvocationError.missingRepository(.remote, model: "\(Model.self)")
    }
    throw failed.count > 1 ? FallbackError(first, Array(failed.dropFirst())) : first.error
  }

  /// Whether an error says that the service cannot be reached, or cannot answer now.
  static func isUnreachable(_ error: any Error) -> Bool {
    FailureKind(error) == .transient || !FallbackError.mayHaveArrived(error)
  }

  func name(of member: any Repository<Model>) -> String {
    member.role((any SharedService).self)?.service ?? "\(type(of: member))"
  }

  /// The members that play a role, in order.
  func roles<Role>(_ kind: Role.Type = Role.self) -> [Role] { members.compactMap { $0.role() } }
}
