/// A repository whose methods answer with a completion, as in Evocation 1.0.
///
/// Each method must call its completion exactly once, from any thread, at once or later. The first
/// answer counts; a second one is reported to the configuration's `onTrace`. A completion that is
/// released without being called ends the call with ``EvocationError/unanswered(_:model:method:)``;
/// one that is kept and never called ends with the rule's timeout or with cancellation.
///
/// The methods run where the caller runs. A method that blocks its thread blocks an async caller's;
/// other callback calls go on with other threads after a fiftieth of a second.
///
/// Criteria are nil when everything is asked for. An answer with neither data nor error means that
/// there was nothing.
public protocol CallbackRepository<Model>: Sendable {
  /// What the repository holds.
  associatedtype Model: Sendable

  /// The closure that receives the answer.
  typealias Completion<Value: Sendable> = @Sendable (Evocation.Result<Value>) -> Void

  /// Gives the models that match.
  func find(criteria: Criteria?, completion: @escaping Completion<[Model]>)

  /// Gives the first model that matches.
  func findOne(criteria: Criteria?, completion: @escaping Completion<Model>)

  /// Counts what ``find(criteria:completion:)`` gives; the default implementation finds it.
  func count(criteria: Criteria?, completion: @escaping Completion<Int>)

  /// Says whether ``findOne(criteria:completion:)`` gives a model; the default implementation finds
  /// it.
  func exists(criteria: Criteria?, completion: @escaping Completion<Bool>)

  /// Adds models.
  func store(models: [Model], completion: @escaping Completion<[Model]>)

  /// Adds one model.
  func storeOne(model: Model, completion: @escaping Completion<Model>)

  /// Changes the models that are there.
  func update(models: [Model], completion: @escaping Completion<[Model]>)

  /// Changes one model.
  func updateOne(model: Model, completion: @escaping Completion<Model>)

  /// Removes models.
  func remove(models: [Model], completion: @escaping Completion<[Model]>)

  /// Adds those models that are not there, and changes the others.
  func storeOrUpdate(models: [Model], completion: @escaping Completion<[Model]>)
}

extension CallbackRepository {
  /// Asks ``find(criteria:completion:)``, and counts.
  public func count(criteria: Criteria?, completion: @escaping Completion<Int>) {
    find(criteria: criteria) { completion($0.answered { $0?.count ?? 0 }) }
  }

  /// Asks ``findOne(criteria:completion:)``.
  public func exists(criteria: Criteria?, completion: @escaping Completion<Bool>) {
    findOne(criteria: criteria) { completion($0.answered { $0 != nil }) }
  }
}

extension Evocation.Result {
  /// The same answer with transformed data, which may be nil; an error stays as it is.
  fileprivate func answered<Other: Sendable>(
    _ transform: (Value?) -> Other
  ) -> Evocation.Result<Other> {
    Evocation.Result<Other>(
      data: error == nil ? transform(data) : nil, error: error, values: values
    )
  }
}
