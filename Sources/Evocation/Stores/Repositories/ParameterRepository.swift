/// A remote repository whose service has parameters that are no properties of the models.
///
/// An equality of such a key is not compared with models: only the service knows what it finds. See
/// `Criteria.parameter(_:_:)`.
package protocol ParameterRepository<Model>: Repository {
  /// The names of the parameters; Evocation reads them once, when the repository is registered.
  var parameters: Set<Criteria.Key> { get }
}
