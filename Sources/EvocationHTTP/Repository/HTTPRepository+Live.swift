public import Evocation
import Foundation

extension HTTPRepository {
  /// Whether ``HTTPFormat/live`` describes how the service sends changes.
  public var sendsLiveChanges: Bool { client.format.live != nil }

  /// True: each stream begins with an element when the service has accepted it.
  public var announcesConnection: Bool { true }

  /// Returns what changes from now on, by ``HTTPFormat/live``.
  ///
  /// The stream joins the connection when it is first read. All models of the service share the
  /// connection, which ends with the last of their streams. The first element has no models:
  ///
  /// - With the mark, if the service sends what was missed since. A model that joins an open connection
  ///   has its mark confirmed only if nothing has happened since.
  /// - Without a mark otherwise.
  ///
  /// - Parameter mark: The mark of the last change that the local store has; nil if there is none.
  /// - Returns: The changes. The stream ends with an ``HTTPError``, whose
  ///   ``HTTPError/retryAfter`` is the wait that the service asked for.
  public func liveChanges(
    since mark: String?
  ) -> AsyncThrowingStream<RemoteChanges<Model>, any Error> {
    let follower = LiveFollower(client, since: mark)
    return AsyncThrowingStream { try await self.next(of: follower) }
  }

  /// Waits for the next changes, and decodes them away from the caller's actor.
  ///
  /// Of several events that wait, one that does not decode makes all of them missed.
  @concurrent private func next(of follower: LiveFollower) async throws -> RemoteChanges<Model> {
    while true {
      var all = RemoteChanges<Model>()
      var places: [ModelID: Int] = [:]
      for item in try await follower.next() {
        switch item {
        case .connected(let mark): return RemoteChanges(mark: mark)
        case .message(_, let changes, _) where changes.contains(.missed): return RemoteChanges()
        case .message(let event, let changes, let mark):
          do {
            for change in changes { try add(change, of: event, to: &all, places: &places) }
          } catch {
            follower.recordUndecodable(error)
            return RemoteChanges()
          }
          all.mark = mark ?? all.mark
        }
      }
      // An element without anything would say that something was missed.
      if !all.stored.isEmpty || !all.removed.isEmpty || all.mark != nil { return all }
    }
  }

  /// Adds a change; a model that comes twice is as it came last.
  private func add(
    _ change: HTTPFormat.Live.Change, of event: ServerSentEvent,
    to all: inout RemoteChanges<Model>, places: inout [ModelID: Int]
  ) throws {
    switch change {
    case .removed(let id): all.removed.append(id)
    case .missed, .subscribed, .ended: break
    case .stored(let place, let id):
      let content = try coding.live(Model.self, from: event.data, at: place, id: id)
      let versions = given(content.versions)
      let ids = try ModelID.each(of: content.value)
      for (index, model) in content.value.enumerated() {
        let version = versions.isEmpty ? nil : versions[index]
        let absent = content.absent.isEmpty ? [] : content.absent[index]
        if let place = places[ids[index]] {
          all.stored[place] = Rebasing.completed(model, under: absent, from: all.stored[place])
          all.absentKeys[place].formIntersection(absent)
          if !versions.isEmpty { all.versions[place] = version }
        } else {
          places[ids[index]] = all.stored.count
          all.stored.append(model)
          all.absentKeys.append(absent)
          if !versions.isEmpty { all.versions.append(version) }
        }
      }
    }
  }
}
