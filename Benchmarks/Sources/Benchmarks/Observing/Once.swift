/// A value that is created when it is first needed.
actor Once<Value: Sendable> {
  private var making: Task<Value, any Error>?
  private let make: @Sendable () async throws -> Value

  init(_ make: @escaping @Sendable () async throws -> Value) {
    self.make = make
  }

  var value: Value {
    get async throws {
      let task = making ?? Task { [make] in try await make() }
      making = task
      return try await task.value
    }
  }
}
