/// What the remote has of a model, and the service's version of that.
package struct VersionedModel<Model: Sendable>: Sendable {
  /// The model; nil where the remote has none, or has not said.
  package var model: Model?

  /// The service's version of it; nil where it has none.
  package var version: String?

  /// Makes the pair.
  package init(_ model: Model?, version: String? = nil) {
    self.model = model
    self.version = version
  }

  init(_ response: Response<Model?>) {
    self.init(response.value, version: response.versions.first ?? nil)
  }

  /// The models of an answer that have a version, with it.
  static func known(_ models: [Model], _ versions: [String?]) -> [VersionedModel] {
    zip(models, versions).compactMap { model, version in
      version.map { VersionedModel(model, version: $0) }
    }
  }
}
