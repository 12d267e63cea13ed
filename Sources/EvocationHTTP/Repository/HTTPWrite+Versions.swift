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

  /// Returns the service's model on which a change was made; nil if it is not known or does not matter.
  func read(before model: Model) -> Fields? {
    if case .version = base?.condition { return nil }
    guard isConditional else { return nil }
    let known = (try? repository.idText(of: model)).flatMap { repository.known[$0] }
    return fields(of: base?.model) ?? (known?.doubted == nil ? fields(of: known?.model) : nil)
  }

  /// Checks that a model which the service has just returned is the one on which a change was made.
  ///
  /// Properties of which an answer said nothing are not compared, nor those that only the service writes.
  func checkUnchanged(
    _ found: Response<Model?>, since before: Fields, of request: HTTPRequest
  ) throws {
    guard let present = fields(of: found.value) else { return }
    let read = repository.known.hasSummaries ? before.valued : Set(before.names + present.names)
    let keys = read.subtracting(found.absentKeys.first ?? []).subtracting(repository.unsentKeys)
    let null = Field.scalar(.null)
    guard keys.contains(where: { (before[$0] ?? null) != (present[$0] ?? null) }) else { return }
    throw HTTPError(
      .preconditionFailed, method: request.method, url: request.url, current: found.value,
      currentVersion: found.versions.first ?? nil)
  }

  /// Remembers the version of a model that the service has now.
  func learn(
    _ version: String?, _ answer: HTTPAnswer, model: Model, id: String?, at url: URL
  ) {
    guard kind != .remove else { return repository.known.forget(written: repository.ids([model])) }
    let kept = repository.remembersModels() ? model : nil
    if let version, let id = try? repository.idText(of: model) {
      repository.known.wrote(id, .init(version: version, model: kept))
    } else if let id {
      let tag = answer.tag(format.version)
      repository.known.wrote(id, .init(version: tag, url: url, model: kept))
    } else if let tag = createdTag(answer), let id = try? repository.idText(of: model),
      let url = try? repository.client.address.url(
        repository.routes.updateOne.path, id: id, query: [], of: "GET")
    {
      repository.known.wrote(id, .init(version: tag, url: url, model: kept))
    } else if let kept, let id = try? repository.idText(of: model) {
      repository.known.wrote(id, .init(model: kept))
    } else {
      repository.known.forget(written: repository.ids([model]))
    }
  }

  /// Returns the version of the model in the answer to a write of it.
  ///
  /// A property has it in any answer. A header field has it only in an answer at the model's own
  /// address, or in the answer to its creation.
  func versions(
    _ version: String?, _ answer: HTTPAnswer, route: HTTPFormat.Route
  ) -> [String?] {
    guard kind != .remove else { return [] }
    let tag = repository.hasVersion(at: route) ? answer.tag(format.version) : createdTag(answer)
    guard let version = version ?? tag else { return [] }
    return repository.given([version])
  }

  /// Returns the version in a header field of the answer to a creation.
  ///
  /// By RFC 9110 (15.3.2) the fields of a 201 are those of the new model.
  private func createdTag(_ answer: HTTPAnswer) -> String? {
    kind == .store && answer.status == 201 ? answer.tag(format.version) : nil
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
    guard known?.doubted == nil else { return nil }
    let own = repository.ownVersion(of: model)
    let isOther = own != nil && known?.version != nil && own != known?.version
    guard let before = fields(of: base?.model) ?? (isOther ? nil : fields(of: known?.model)),
      let now = try? FieldEncoder.fields(of: model)
    else { return nil }
    // The remembered model may be of an answer that left out what the app has cleared.
    let cleared = Set(fields(of: held)?.valued ?? []).filter { now[$0] == .scalar(.null) }
    return cleared.union((now.names + before.names).filter { now[$0] != before[$0] })
  }

  /// Returns the coding keys of a model without those that the app may not have read; nil for all.
  ///
  /// There are two kinds of keys that it may not have read:
  ///
  /// - Nil, which clears the service's value. It is sent if the app knew a value, or if a write without an
  ///   answer may have given one.
  /// - An unchanged value of a property with a default, which the property has if an answer lacks its key.
  func read(_ model: Model, _ id: String) -> Set<String>? {
    let before = former(of: id)
    guard before != nil || repository.known.hasSummaries, let now = fields(of: model) else {
      return nil
    }
    var keys = now.valued
    if let before {
      for key in repository.coding.defaulted where now[key] == before[key] { keys.remove(key) }
      keys.formUnion(before.valued.filter { now[$0] == .scalar(.null) })
    }
    return keys.union(repository.known[id]?.doubted ?? [])
  }

  /// Returns the keys of the former state that the model does not encode, as of another case of a union.
  func dropped(by model: Model, _ id: String) -> Set<String> {
    guard let before = former(of: id), let now = fields(of: model) else { return [] }
    return Set(before.valued).subtracting(now.names)
  }

  /// Whether a model may have nil, or a default, where the service has a value that the app has not read.
  func mayLack(_ model: Model) -> Bool {
    guard repository.known.hasSummaries, let id = try? repository.idText(of: model) else {
      return false
    }
    return !lacking(model, id).isEmpty
  }

  /// Returns the keys under which it may have them.
  func lacking(_ model: Model, _ id: String) -> Set<String> {
    guard let now = fields(of: model), let read = read(model, id) else { return [] }
    return Set(now.names).subtracting(read).subtracting(repository.unsentKeys)
  }

  /// Returns what the app knew of the service's model before it changed it.
  private func former(of id: String) -> Fields? {
    fields(of: base?.model) ?? fields(of: held) ?? fields(of: repository.known[id]?.model)
  }

  func fields(of model: (any Sendable)?) -> Fields? {
    (model as? any Encodable).flatMap { try? FieldEncoder.fields(of: $0) }
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
