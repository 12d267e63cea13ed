import Evocation
import Foundation

/// The versions of models, as a write says them and as its answer tells them.
extension HTTPWrite {
  /// Which version the service is to have for the write to be carried out; nil for any.
  ///
  /// - What the write is said to be made on decides alone.
  /// - A call by itself has the version in the model, where the type has that property.
  /// - Else it is the one that this repository remembers.
  func version(
    of model: Model, _ id: String, _ route: HTTPFormat.Route, at url: URL
  ) -> String? {
    guard format.sendsIfMatch, kind != .store else { return nil }
    if case .version(let version) = base?.condition {
      return repository.hasVersion(at: route) ? version : nil
    }
    guard isConditional, missingIsNil else { return nil }
    let own = base == nil ? repository.ownVersion(of: model) : nil
    return own ?? repository.known.version(of: id, at: url)
  }

  /// Remembers which version of a model the service has now.
  func learn(
    _ version: String?, _ answer: HTTPAnswer, _ model: Model, _ id: String?, at url: URL
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

  /// The version of the model in the answer to a write of it.
  ///
  /// A property tells it wherever it stands, a field only in an answer at the model's own address,
  /// or in that to its creation: RFC 9110 (15.3.2) has the fields of a 201 be the new model's.
  func versions(
    _ version: String?, _ answer: HTTPAnswer, _ route: HTTPFormat.Route
  ) -> [String?] {
    guard kind != .remove else { return [] }
    let isOwn = repository.hasVersion(at: route) || kind == .store && answer.status == 201
    guard let version = version ?? (isOwn ? answer.tag(format.version) : nil) else {
      return []
    }
    return repository.given([version])
  }

  /// The version of a model of which nothing was sent, because nothing differs from the base.
  var unchangedVersions: [String?] {
    guard case .version(let version?) = base?.condition else { return [] }
    return repository.given([version])
  }

  /// The coding keys under which a model differs from what the service is known to have; nil where that is
  /// not known.
  ///
  /// What the write was made on decides; else it is what this repository last gave or sent, unless the model
  /// has another version in itself.
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

  /// The service's model in the answer to a conflict; who is given it has read it, with its tag.
  func current(
    in answer: HTTPAnswer, _ model: Model, _ id: String?, _ route: HTTPFormat.Route,
    at url: URL
  ) -> (model: Model, version: String?)? {
    guard [409, 412].contains(answer.status), let ids = try? ModelID.each(of: [model]) else {
      return nil
    }
    for place in format.refusals.current {
      guard let content = repository.coding.current(Model.self, in: answer.body, at: place, id: id),
        let current = content.value, (try? ModelID.each(of: [current])) == ids
      else { continue }
      learn(content.versions.first ?? nil, answer, current, id, at: url)
      return (current, versions(content.versions.first ?? nil, answer, route).first ?? nil)
    }
    return nil
  }
}
