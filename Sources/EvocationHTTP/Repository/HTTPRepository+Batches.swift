public import Evocation
import Foundation

extension HTTPRepository: BatchingRepository {
  /// Asks for the models that match, and gives them in batches while they come.
  ///
  /// No more than two batches are held at a time: the one that is being taken, and the one that is
  /// coming. A transport that cannot be stopped holds the bytes that come faster; see
  /// ``URLSessionTransport``. Batches that were taken stay so when a later one fails.
  ///
  /// - Parameters:
  ///   - criteria: What is asked for.
  ///   - size: How many models a batch has, apart from the last of a page.
  ///   - take: Takes a batch; the next one waits for it.
  /// - Returns: How many there were, with the metadata of the last answer.
  /// - Throws: As `find` does, and what `take` throws.
  @concurrent public func find(
    _ criteria: Criteria, inBatchesOf size: Int,
    _ take: @escaping @Sendable (Response<[Model]>) async throws -> Void
  ) async throws -> Response<Int> {
    try check(criteria)
    if let contradiction = client.contradiction { throw contradiction }
    guard !criteria.isNever else { return Response(0) }
    var pages: HTTPPages
    do {
      pages = try HTTPPages(routes.find, criteria, client)
    } catch let error as HTTPError where isDoneHere(error) {
      let found = try await find(criteria)
      for batch in found.batches(of: size) { try await take(batch) }
      return Response(found.value.count, metadata: found.metadata)
    }
    var count = 0
    while true {
      let request = pages.request
      let rest = pages.isFirst ? Int.max : (criteria.limit ?? .max) - count
      let taken = Lock(0)
      let writes = tags.writes
      let answer = try await client.answer(to: request) { response, progress in
        try await self.cut(response, into: size, of: request, progress) { batch in
          let before = taken.withLock { taken in
            defer { taken += batch.value.count }
            return taken
          }
          self.learn(batch, writes: writes)
          let found = Response(batch.value, versions: self.given(batch.versions))
          let wanted = found.prefix(max(0, rest - before))
          if !wanted.value.isEmpty { try await take(wanted) }
        }
      }
      guard answer.isSuccess else {
        throw HTTPError(answer, of: request, by: client.format.refusals)
      }
      let came = taken.withLock { $0 }
      count += min(came, rest)
      let frame = try decode(answer, of: request) { body in
        answer.isOtherwiseDone
          ? Content(value: []) : try coding.list(of: Model.self, from: body)
      }
      let metadata = metadata(of: answer, frame.found)
      guard try pages.follow(metadata, count: came, holding: 0) else {
        return Response(count, metadata: metadata)
      }
    }
  }

  /// Reads an answer piece by piece; the answer that it gives has the array empty.
  private func cut(
    _ response: HTTPTransportResponse, into size: Int, of request: HTTPRequest,
    _ progress: @Sendable () -> Void,
    _ take: @Sendable (Content<[Model]>) async throws -> Void
  ) async throws -> HTTPAnswer {
    let limit = client.service.configuration.maximumResponseSize
    guard (200...299).contains(response.status) else {
      return try await HTTPAnswer(response, limit: limit)
    }
    let path = client.format.envelope.path(isList: true)
    var answer = HTTPAnswer(status: response.status, headers: response.headers, body: Data())
    let batches = Lock(JSONBatches(path: path, size: size))
    let decoder = client.format.decoder()
    do {
      let isWithinLimit = try await response.body.each(limit: limit) { piece in
        progress()
        for batch in try batches.withLock({ try $0.take(piece) }) {
          let models = try coding.batch(of: Model.self, from: batch, by: decoder)
          do {
            try await take(models)
          } catch {
            throw TakerFailure(reason: error)
          }
          progress()
        }
      }
      guard isWithinLimit else {
        throw HTTPError(.tooLarge, of: request, reason: "\(limit) bytes")
      }
      answer.body = try batches.withLock { batches in
        try batches.end()
        return Data(batches.frame)
      }
    } catch let error as JSONBatches.Failure {
      throw HTTPError(undecodable: answer, of: request, because: error)
    } catch let error as DecodingError {
      throw HTTPError(undecodable: answer, of: request, because: error)
    }
    return answer
  }
}
