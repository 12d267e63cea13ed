import Evocation
import Foundation

extension HTTPWrite {
  /// The tag to ask `If-Match` with; none for a store or an upsert, which replace whatever is there.
  func knownTag(of id: String, at url: URL) -> String? {
    guard missingIsNil, client.configuration.sendsIfMatch else { return nil }
    return repository.tags.tag(of: id, at: url)
  }

  /// Learns which version the service has now.
  func learn(from answer: HTTPAnswer, _ model: Model, _ id: String?, at url: URL) {
    guard let id, !isRemoval else { return repository.tags.wroteUntagged(ids([model])) }
    repository.tags.wrote(id, at: url, answer)
  }

  /// Answers nil when the model that a service has no such version of is not there at all.
  ///
  /// - Throws: What the service said, when it has another version or does not tell. The tag stays, so
  ///   that the model must be read before it can be changed.
  func absence(_ id: String?, _ error: HTTPError) async throws -> Response<Model?> {
    guard let id, let route = repository.routes.findOne, route.namesModel else { throw error }
    do {
      _ = try await client.send(client.request(route, id: id))
    } catch let missing as HTTPError where missing.code == .notFound {
      repository.tags.wroteUntagged([id])
      let status = missing.status ?? 404
      return Response(nil, metadata: ["status": status, "headers": missing.headers])
    } catch is CancellationError {
      throw CancellationError()
    } catch {
      // Why it cannot be looked up matters less than the refusal.
    }
    throw error
  }
}
