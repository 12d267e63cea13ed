/// A local repository of Evocation that answers calls on one model where the caller is.
///
/// It suspends nowhere, and calls no code of your app but the model's own coding. A call that asks
/// local alone can therefore go straight to it, without the steps of a route.
package protocol PromptRepository<Model>: Repository {
  /// Returns the model that the criteria select by its id, or none; nil, and reads nothing, if the
  /// criteria are others, or the call would have to wait.
  func findOneNow(_ criteria: Criteria) throws -> [Model]?

  /// Writes a model, and returns it, or none if there was none to change; nil, and writes nothing, if
  /// the write needs more than one statement, or would have to wait.
  func writeNow(_ kind: Outbox.EntryKind, _ model: Model) throws -> [Model]?
}
