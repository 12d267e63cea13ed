import Evocation

/// A repository of Evocation 1.0's kind that answers as a closure says.
final class CallbackScript: CallbackRepository {
  typealias Answer = @Sendable (Evocation.Result<[Car]>) -> Void
  private let body: @Sendable (String, @escaping Answer) -> Void

  init(_ body: @escaping @Sendable (String, @escaping Answer) -> Void) {
    self.body = body
  }

  func find(criteria: Criteria?, completion: @escaping Completion<[Car]>) {
    body(criteria == nil ? "find all" : "find", completion)
  }
  func findOne(criteria: Criteria?, completion: @escaping Completion<Car>) {
    one("findOne", completion)
  }
  func store(models: [Car], completion: @escaping Completion<[Car]>) {
    body("store", completion)
  }
  func storeOne(model: Car, completion: @escaping Completion<Car>) {
    one("storeOne", completion)
  }
  func update(models: [Car], completion: @escaping Completion<[Car]>) {
    body("update", completion)
  }
  func updateOne(model: Car, completion: @escaping Completion<Car>) {
    one("updateOne", completion)
  }
  func remove(models: [Car], completion: @escaping Completion<[Car]>) {
    body("remove", completion)
  }
  func storeOrUpdate(models: [Car], completion: @escaping Completion<[Car]>) {
    body("storeOrUpdate", completion)
  }

  private func one(_ method: String, _ completion: @escaping Completion<Car>) {
    body(method) { completion(.init(data: $0.data?.first, error: $0.error)) }
  }
}
