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
    return own ?? repository.tags.tag(of: id, at: url)
  }

  /// Remembers which version of a model the service has now.
  func learn(
    _ version: String?, _ answer: HTTPAnswer, _ model: Model, _ id: String?, at url: URL
  ) {
    guard kind != .remove else {
      repository.tags.wroteUntagged(repository.ids([model]))
      return repository.sent.forget(repository.ids([model]))
    }
    repository.remember([model])
    if let version, let id = try? repository.idText(of: model) {
      repository.tags.wrote(id, at: nil, version)
    } else if let id {
      repository.tags.wrote(id, at: url, answer.tag(format.version))
    } else {
      repository.tags.wroteUntagged(repository.ids([model]))
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

  /// The service's model in the answer to a conflict; who is given it has read it, with its tag.
  func current(
    in answer: HTTPAnswer, _ model: Model, _ id: String?, _ route: HTTPFormat.Route,
    at url: URL
  ) -> (model: Model, version: String?)? {
    guard [409, 412].contains(answer.status), let ids = try? ModelID.each(of: [model]) else {
      return nil
    }
    for place in format.refusals.current {
      guard let content = repository.coding.current(Model.self, in: answer.body, at: place),
        let current = content.value, (try? ModelID.each(of: [current])) == ids
      else { continue }
      if let version = content.versions.first ?? nil, let id {
        repository.tags.wrote(id, at: nil, version)
      } else if let id {
        repository.tags.wrote(id, at: url, answer.tag(format.version))
      }
      repository.remember([current])
      return (current, versions(content.versions.first ?? nil, answer, route).first ?? nil)
    }
    return nil
  }
}
