import Evocation
import Foundation

/// What the answer to a list says besides its models.
extension HTTPRepository {
  /// Returns a page of a list with its metadata, and learns whether the service says where lists end.
  func page(
    of count: Int, lastID: String?, in answer: HTTPAnswer, found: [String: String]
  ) -> HTTPPage {
    var page = HTTPPage(count: count, lastID: lastID, answer: answer, found: found)
    page.metadata = metadata(of: answer, found)
    guard let next = client.format.next else { return page }
    if !client.ends.withLock(\.saysNext), next.isSaid(by: page) {
      client.ends.withLock { $0.saysNext = true }
    }
    // Empty at the end, which says that the service has the key.
    if case .key = next, page.metadata["next"] == nil, client.ends.withLock(\.saysNext) {
      page.metadata["next"] = ""
    }
    return page
  }

  private func metadata(
    of answer: HTTPAnswer, _ found: [String: String]
  ) -> [String: any Sendable] {
    var metadata = answer.metadata
    if let total = client.format.total, let count = answer.total(total, found) {
      metadata["totalCount"] = count
    }
    let next: String? =
      switch client.format.next {
      case .link: answer.headers["link"].flatMap { LinkHeader.target("next", in: $0) }
      case .header(let name): answer.headers[name.lowercased()]
      case .key(let place): found[place]
      case .token, .last, .offset, .pages, .never, nil: nil
      }
    let previous = answer.headers["link"].flatMap { LinkHeader.target("prev", in: $0) }
    for (name, link) in [("next", next), ("previous", previous)] {
      metadata[name] = link.flatMap {
        client.following($0, answer, isGiven: true) ?? answer.address($0)
      }
    }
    for (name, place) in client.format.metadata { metadata[name] = found[place] }
    return metadata
  }
}

extension HTTPAnswer {
  /// Returns how many models match in all; nil if the answer does not say.
  func total(
    _ total: HTTPFormat.Total, _ found: [String: String]? = nil
  ) -> Int? {
    let text: String? =
      switch total {
      case .header(let name): headers[name.lowercased()]
      case .key(let place): found.map { $0[place] } ?? number(at: place)
      case .contentRange:
        headers["content-range"]?.split(separator: "/").last.map(String.init)
      }
    return text.flatMap { Int($0) }.flatMap { $0 < 0 ? nil : $0 }
  }

  /// Returns a whole number from any JSON body.
  private func number(at place: String) -> String? {
    let json = try? JSONSerialization.jsonObject(with: body)
    return (JSONPlace.value(json, at: place) as? Int).map { String($0) }
  }

  /// Returns an address in the answer, resolved against the address of the answer.
  fileprivate func address(_ text: String) -> URL? {
    guard !text.isEmpty else { return nil }
    return URL(string: text, relativeTo: url)?.absoluteURL
  }
}
