package import Evocation
import Foundation

/// Whether a list has ended where its last page ends.
extension HTTPRepository {
  /// How often a list that loses models while it is read is read.
  private static var mostReadings: Int { 3 }

  /// Reads a list, and reads it again if it became shorter in the meantime, because the pages behind
  /// a removed model may have passed over others.
  func reading<Value>(_ read: () async throws -> Value) async throws -> Value {
    for _ in 1..<Self.mostReadings {
      do {
        return try await read()
      } catch let error as HTTPError where error.isOfChangingList {}
    }
    return try await read()
  }

  /// Requests one more part behind the end of a list that does not say that it has ended.
  ///
  /// If that part has a new model, the service pages without saying so. The list is an error then,
  /// and so is each later one that is as long. A service that refuses the request counts as one
  /// that does not page.
  func checkEnd(
    of models: [Model], _ pages: HTTPPages, page: HTTPPage, criteria: Criteria,
    route: HTTPFormat.Route
  ) async throws {
    let (count, url) = (models.count, pages.request.url)
    guard client.format.next != nil, criteria.limit == nil, pages.isAtStart,
      !pages.isEndSaid(by: page)
    else { return }
    let verdict = client.ends.withLock { $0.verdict(count, at: url) }
    if verdict == .askBehind, try await hasMore(behind: models, route, of: criteria) {
      let error = pages.problem(
        "has \(count) models, and the service has more without saying so; set how lists continue "
          + "in format.next, such as .offset with filters.largestPage = \(count)")
      client.ends.withLock { $0.recordCut(of: count, error) }
      client.service.configuration.log.add { _ in .notice(error.description) }
      throw error
    }
    if verdict == .cut, let error = client.ends.withLock(\.cut)?.error { throw error }
    client.ends.withLock { $0.recordEnd(of: count, at: url) }
  }

  private func hasMore(
    behind models: [Model], _ route: HTTPFormat.Route, of criteria: Criteria
  ) async throws -> Bool {
    let behind = criteria.limit(models.count).offset(models.count)
    guard let more = try? HTTPPages(route, behind, client: client) else { return false }
    let answer = try await client.answer(to: more.request)
    guard answer.isSuccess, !answer.isOtherwiseDone,
      let found = try? coding.list(
        of: Model.self, from: answer.body, mayBeEmpty: true, isRead: true
      ).value,
      let known = ModelID.all(of: models), let ids = ModelID.all(of: found)
    else { return false }
    return !Set(ids).isSubset(of: known)
  }
}

extension HTTPRepository {
  /// Says once in the log that an answer has not what the format names, as if a key were misspelled.
  ///
  /// A list that is read whole may be mirrored, which deletes what it lacks.
  func warnOfUnseen(_ page: HTTPPage) {
    let (format, path) = (client.format, client.path)
    func warn(_ name: String, _ property: String) {
      client.sayOnce(
        "unseen \(property)",
        "The service's answer to \(path) has no \(name), which format.\(property) names; check it, because "
          + "Evocation takes the list for whole.")
    }
    if format.total != nil, page.metadata["totalCount"] as? Int == nil { warn("total", "total") }
    switch format.next {
    case .header, .key, .token, .last, .pages:
      if !client.ends.withLock(\.saysNext) { warn("sign of a next page", "next") }
    case .never, .link, .offset, nil: break
    }
  }

  /// Says once that a list has had a model several times.
  func warnOfRepeats() {
    client.sayOnce(
      "repeats",
      "The service's answer to \(client.path) has several models with one id, of which Evocation takes "
        + "the last; check the service, and that ids are those of single models.")
  }
}

extension HTTPRepository {
  /// How lists continue, as the format says.
  package var paging: ProxyPaging {
    switch client.format.next {
    case nil, .never, .offset, .pages: return .offset
    case .link, .header, .key, .token, .last: break
    }
    guard client.format.query == nil else { return .automatic }
    return switch client.format.filters.paging {
    // It has no offset.
    case .limit: .link
    // Only the service knows how long its pages are, so a page of the list may begin within one.
    case .page(_, nil, _): .offset
    case .offset, .page, .range, .items: .automatic
    }
  }
}

extension HTTPFormat.Next {
  /// Whether an answer has what says that its list continues, or that it ends.
  func isSaid(by page: HTTPPage) -> Bool {
    switch self {
    case .never: true
    case .offset: false
    case .pages(let place): page.has(place)
    case .link:
      ["next", "prev", "first", "last"].contains { relation in
        page.answer.headers["link"].flatMap { LinkHeader.target(relation, in: $0) } != nil
      }
    case .header(let name): page.answer.headers[name.lowercased()] != nil
    case .key(let place): page.has(place)
    case .token(let place, _, let more): page.has(place) || more.map(page.has) ?? false
    case .last(_, let more): page.has(more)
    }
  }
}

extension HTTPPage {
  /// Whether the answer has a value at a place, even if that is null.
  fileprivate func has(_ place: String) -> Bool {
    if found[place] != nil { return true }
    return JSONPlace.value(try? JSONSerialization.jsonObject(with: answer.body), at: place) != nil
  }
}

extension Response where Value: RangeReplaceableCollection, Value.Element: Identifiable & Sendable {
  /// The answer with each model once, at its first place and as it came last.
  ///
  /// What it lacked then, it has from where it came before.
  var withoutRepeats: Self {
    guard let ids = ModelID.all(of: Array(value)), Set(ids).count < ids.count else { return self }
    var places: [ModelID: Int] = [:]
    var (models, kept, absent): ([Value.Element], [String?], [Set<String>]) = ([], [], [])
    for (index, model) in value.enumerated() {
      let version = versions.indices.contains(index) ? versions[index] : nil
      let lacked = absentKeys.indices.contains(index) ? absentKeys[index] : []
      if let place = places[ids[index]] {
        models[place] = Rebasing.completed(model, under: lacked, from: models[place])
        kept[place] = version
        absent[place].formIntersection(lacked)
      } else {
        places[ids[index]] = models.count
        models.append(model)
        kept.append(version)
        absent.append(lacked)
      }
    }
    return Response(
      Value(models), metadata: metadata, versions: versions.isEmpty ? [] : kept,
      absentKeys: absentKeys.isEmpty ? [] : absent)
  }
}
