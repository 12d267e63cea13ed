import Evocation
import Foundation

/// The versions of models, as a write sends them and as its answer returns them.
extension HTTPWrite {
  /// Returns the version that the service must have to perform the write; nil for any.
  ///
  /// - The version that a check has just returned comes first: no other change can come between.
  /// - Otherwise the version of the write's base decides alone.
  /// - Without a base, it is the version in the model, if the type has that property.
  /// - Otherwise it is the version that this repository remembers.
  func version(
    of model: Model, _ id: String, route: HTTPFormat.Route, at url: URL, isChecked: Bool
  ) -> String? {
    guard format.sendsIfMatch, kind != .store else { return nil }
    if isChecked { return repository.known.version(of: id, at: url) }
    if case .version(let version) = base?.condition {
      return repository.hasVersion(at: route) ? version : nil
    }
    guard isConditional, missingIsNil else { return nil }
    let own = base == nil ? repository.ownVersion(of: model) : nil
    return own ?? repository.known.version(of: id, at: url)
  }

  /// Remembers the version of a model that the service has now.
  func learn(
    _ version: String?, _ answer: HTTPAnswer, model: Model, id: String?, at url: URL
  ) {
    guard kind != .remove else { return repository.known.forget(written: repository.ids([model])) }
    let fields = repository.remembered(model)
    if let version, let id = try? repository.idText(of: model) {
      repository.known.wrote(id, .init(version: version, fields: fields))
    } else if let id {
      let tag = answer.tag(format.version)
      repository.known.wrote(id, .init(version: tag, url: url, fields: fields))
    } else if let fields, let id = try? repository.idText(of: model) {
      repository.known.wrote(id, .init(fields: fields))
    } else {
      repository.known.forget(written: repository.ids([model]))
    }
  }

  /// Returns the version of the model in the answer to a write of it.
  ///
  /// A property has it in any answer. A header field has it only in an answer at the model's own
  /// address, or in the answer to its creation: by RFC 9110 (15.3.2) the fields of a 201 are those of
  /// the new model.
  func versions(
    _ version: String?, _ answer: HTTPAnswer, route: HTTPFormat.Route
  ) -> [String?] {
    guard kind != .remove else { return [] }
    let isOwn = repository.hasVersion(at: route) || kind == .store && answer.status == 201
    guard let version = version ?? (isOwn ? answer.tag(format.version) : nil) else {
      return []
    }
    return repository.given([version])
  }

  /// The version of a model that was not sent, because nothing differs from the base.
  var unchangedVersions: [String?] {
    guard case .version(let version?) = base?.condition else { return [] }
    return repository.given([version])
  }

  /// Returns the coding keys under which a model differs from the service's; nil if that is not known.
  ///
  /// The base of the write decides. Otherwise it is the model as this repository last read or sent it,
  /// unless the model itself contains another version.
  func changes(of model: Model, _ id: String) -> Set<String>? {
    let known = repository.known[id]
    guard known?.isDoubtful != true else { return nil }
    let given = (base?.model as? any Encodable).flatMap { try? FieldEncoder.fields(of: $0) }
    let own = repository.ownVersion(of: model)
    let isOther = own != nil && known?.version != nil && own != known?.version
    guard let before = given ?? (isOther ? nil : known?.fields),
      let now = try? FieldEncoder.fields(of: model)
    else { return nil }
    return Set((now.names + before.names).filter { now[$0] != before[$0] })
  }

  /// Returns the service's model in the answer to a conflict, and counts it as read, with its tag.
  func current(
    in answer: HTTPAnswer, _ model: Model, id: String?, route: HTTPFormat.Route,
    at url: URL
  ) -> (model: Model, version: String?)? {
    let isConflict =
      [409, 412].contains(answer.status)
      || [.conflict, .alreadyExists, .preconditionFailed].contains(answer.meaning)
    guard isConflict, let ids = try? ModelID.each(of: [model]) else { return nil }
    for place in format.refusals.current {
      guard let content = repository.coding.current(Model.self, in: answer.body, at: place, id: id),
        let current = content.value, (try? ModelID.each(of: [current])) == ids
      else { continue }
      learn(content.versions.first ?? nil, answer, model: current, id: id, at: url)
      return (current, versions(content.versions.first ?? nil, answer, route: route).first ?? nil)
    }
    return nil
  }
}
