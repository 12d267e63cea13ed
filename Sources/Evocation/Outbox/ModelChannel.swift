/// The entries of one model type, and the remote repository that they are sent to.
package final class ModelChannel<Model: Sendable>: OutboxChannel {
  let proxy: Proxy<Model>
  package let repository: any OutboxStore<Model>
  package let service: String
  /// The values of the repository, stored because they are read under a lock.
  package let (store, queue): (ObjectIdentifier, String)
  /// Weak, because the outbox owns its channels.
  private let owner: Lock<WeakOutbox>
  /// The server's answers to entries whose acknowledgement could not be saved yet.
  let unsavedAnswers = Lock<[String: VersionedModel<Model>]>([:])
  /// The number of conflicts that each entry has met.
  let conflicts = Lock<[String: Int]>([:])

  /// Whether there was a remote repository when the channel was made.
  package let hasRemote: Bool

  init(_ proxy: Proxy<Model>, _ repository: any OutboxStore<Model>, outbox: Outbox) {
    self.proxy = proxy
    self.repository = repository
    (store, queue) = (repository.storeIdentity, repository.queueName)
    hasRemote = proxy.wiring.hasRemote
    service = Self.service(of: proxy)
    owner = Lock(WeakOutbox(outbox: outbox))
  }

  /// Returns the name of the server.
  ///
  /// A remote repository without one counts as a server of its own.
  package static func service(of proxy: Proxy<Model>) -> String {
    proxy.wiring.remote?.role((any SharedService).self)?.service ?? "\(ObjectIdentifier(proxy))"
  }

  package var typed: ModelChannel { self }
  package var model: String { proxy.model }
  package var outbox: Outbox? { owner.withLock { $0.outbox } }
  var environment: Environment { proxy.environment }

  func subject(_ entry: Outbox.Entry<Model>, reason: String = "") -> Outbox.Subject {
    subject(entry.model, entry.id, reason: reason)
  }

  func subject(_ entry: Outbox.Entry<Model>, because failure: Outbox.Failure) -> Outbox.Subject {
    var subject = subject(entry, reason: failure.reason)
    subject.failure = failure
    return subject
  }

  func subject(_ model: Model, _ entry: String = "", reason: String = "") -> Outbox.Subject {
    Outbox.Subject(
      model: self.model, modelID: (try? ModelID.each(of: [model]))?.first?.description ?? "",
      entry: entry, reason: reason)
  }
}

struct WeakOutbox {
  weak var outbox: Outbox?
}
