/// What one repository is asked for within a call.
struct Request<Model: Sendable>: Sendable {
  /// What is asked.
  enum Matter: Sendable {
    /// The call itself.
    case operation
    /// To follow what the target answered.
    case follow([Model], mirroring: Bool)
  }

  let operation: Operation<Model>
  let matter: Matter
  let repository: any Repository<Model>

  func answer() async throws -> Response<[Model]> {
    switch matter {
    case .operation:
      try await operation.perform(on: repository)
    case .follow(let models, let mirroring):
      try await operation.synchronize(models, to: repository, mirroring: mirroring)
    }
  }
}
