/// A model as the server has it, and the server's version of it.
package struct VersionedModel<Model: Sendable>: Sendable {
  /// The model; nil if the server has none, or has not said.
  package var model: Model?

  /// The server's version of it; nil if it has none.
  package var version: String?

  /// Creates the pair.
  package init(_ model: Model?, version: String? = nil) {
    self.model = model
    self.version = version
  }

  package init(_ response: Response<Model?>) {
    self.init(response.value, version: response.versions.first ?? nil)
  }

  /// Returns the models of an answer that have a version, each with its version.
  static func known(_ models: [Model], _ versions: [String?]) -> [VersionedModel] {
    zip(models, versions).compactMap { model, version in
      version.map { VersionedModel(model, version: $0) }
    }
  }
}
