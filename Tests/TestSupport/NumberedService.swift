package import Evocation

/// What a ``NumberedService`` has.
package struct LiveNote: Codable, Identifiable, Sendable {
  package let id: Int
  package let text: String
}

/// A service whose changes have numbers, so that every mark says what a store has.
package struct NumberedService: LiveRepository {
  package typealias Model = LiveNote

  package init() {}

  package var announcesConnection: Bool { true }

  /// How many ids there are.
  private static var ids: Int { 40 }

  /// What a store has that has all changes up to this one.
  package static func notes(upTo mark: Int) -> [Int: String] {
    var notes: [Int: String] = [:]
    for number in stride(from: 1, through: mark, by: 1) {
      notes[number % ids] = "\(number)"
      notes[(number * 7) % ids] = nil
    }
    return notes
  }

  package func liveChanges(
    since mark: String?
  ) -> AsyncThrowingStream<RemoteChanges<LiveNote>, any Error> {
    let number = Lock((mark.flatMap { Int($0) } ?? 0, isNew: true))
    return AsyncThrowingStream {
      await Task.yield()
      return number.withLock { number in
        // The first element says that nothing was missed.
        if number.isNew {
          number.isNew = false
          return RemoteChanges(mark: "\(number.0)")
        }
        number.0 += 1
        let (id, gone) = (number.0 % Self.ids, (number.0 * 7) % Self.ids)
        return RemoteChanges(
          stored: id == gone ? [] : [LiveNote(id: id, text: "\(number.0)")], removed: ["\(gone)"],
          mark: "\(number.0)")
      }
    }
  }

  package func find(_ criteria: Criteria) async throws -> Response<[LiveNote]> { Response([]) }
  package func store(_ models: [LiveNote]) async throws -> Response<[LiveNote]> { Response(models) }
  package func update(_ models: [LiveNote]) async throws -> Response<[LiveNote]> {
    Response(models)
  }
  package func remove(_ models: [LiveNote]) async throws -> Response<[LiveNote]> {
    Response(models)
  }
  package func storeOrUpdate(_ models: [LiveNote]) async throws -> Response<[LiveNote]> {
    Response(models)
  }
}
