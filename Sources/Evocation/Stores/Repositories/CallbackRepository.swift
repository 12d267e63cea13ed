/// A repository whose methods answer by calling a completion, as in Evocation 1.0.
///
/// Each method must call its completion exactly once, on any thread, before it returns or later.
/// The first answer counts. Evocation reports a second one to the configuration's `onTrace`. If a
/// repository releases a completion without calling it, the call ends with
/// ``EvocationError/unanswered(_:model:method:)``. If it holds a completion and never calls it, the
/// call ends with the rule's timeout or with cancellation.
///
/// The methods run where the caller runs. A method that blocks its thread blocks the thread of an
/// async caller. Other callback calls then continue on other threads after
/// about 50 milliseconds.
///
/// Criteria are nil if your app asks for everything. An answer with neither data nor an error means
/// that nothing was found.
///
/// Your repository calls the completion when it has the answer:
///
/// ```swift
/// func find(criteria: Criteria?, completion: @escaping Completion<[Note]>) {
///   let folder = criteria?["folder"] as? String
///   drawer.open { notes in
///     let found = notes.values.filter { folder == nil || $0.folder == folder }
///     completion(.init(data: found.sorted { $0.id < $1.id }))
///   }
/// }
/// ```
public protocol CallbackRepository<Model>: Sendable {
  /// The type of the models.
  associatedtype Model: Sendable

  /// The closure that receives the answer, on any thread.
  typealias Completion<Value: Sendable> = @Sendable (Evocation.Result<Value>) -> Void

  /// Finds the models that match.
  func find(criteria: Criteria?, completion: @escaping Completion<[Model]>)

  /// Finds the first model that matches.
  func findOne(criteria: Criteria?, completion: @escaping Completion<Model>)

  /// Counts the models that ``find(criteria:completion:)`` finds.
  ///
  /// The default implementation finds the models, and counts them.
  func count(criteria: Criteria?, completion: @escaping Completion<Int>)

  /// Checks whether ``findOne(criteria:completion:)`` finds a model.
  ///
  /// The default implementation finds the model.
  func exists(criteria: Criteria?, completion: @escaping Completion<Bool>)

  /// Adds models.
  func store(models: [Model], completion: @escaping Completion<[Model]>)

  /// Adds one model.
  func storeOne(model: Model, completion: @escaping Completion<Model>)

  /// Changes those models that the repository has.
  func update(models: [Model], completion: @escaping Completion<[Model]>)

  /// Changes one model, if the repository has it.
  func updateOne(model: Model, completion: @escaping Completion<Model>)

  /// Removes models.
  func remove(models: [Model], completion: @escaping Completion<[Model]>)

  /// Adds the models that the repository does not have, and changes the rest.
  func storeOrUpdate(models: [Model], completion: @escaping Completion<[Model]>)
}

extension CallbackRepository {
  /// Calls ``find(criteria:completion:)``, and counts the models.
  public func count(criteria: Criteria?, completion: @escaping Completion<Int>) {
    find(criteria: criteria) { completion($0.answered { $0?.count ?? 0 }) }
  }

  /// Calls ``findOne(criteria:completion:)``, and checks whether it found a model.
  public func exists(criteria: Criteria?, completion: @escaping Completion<Bool>) {
    findOne(criteria: criteria) { completion($0.answered { $0 != nil }) }
  }
}

extension Evocation.Result {
  /// Returns the same answer with transformed data, which may be nil.
  ///
  /// An error stays as it is.
  fileprivate func answered<Other: Sendable>(
    _ transform: (Value?) -> Other
  ) -> Evocation.Result<Other> {
    Evocation.Result<Other>(
      data: error == nil ? transform(data) : nil, error: error, values: values
    )
  }
}
