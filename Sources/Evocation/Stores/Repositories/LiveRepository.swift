/// A remote repository whose service sends what changed automatically.
///
/// Once your app has switched it on with the product `EvocationLive`, Evocation follows the changes of
/// the service while the app observes a model, is active and has a connection, and saves them to the
/// local store. Everything that reads the local store then has them: finds, observers, caches, lists,
/// and other processes.
///
/// ```swift
/// extension LoggedService: LiveRepository {
///   func liveChanges(since mark: String?) -> AsyncThrowingStream<RemoteChanges<Car>, any Error> {
///     let messages = socket.messages(after: mark)
///     return AsyncThrowingStream {
///       try await messages.next().map { message in
///         RemoteChanges(stored: message.cars, removed: message.removedIDs, mark: message.mark)
///       }
///     }
///   }
/// }
/// ```
///
/// ## Execution
///
/// Evocation follows one stream of a model type at a time, from any thread, and cancels the task that
/// reads it when nobody observes the model any more, when the user signs out, and when your app
/// registers the model type again. It saves nothing that such a stream still returns. A sign-out
/// waits for the end of the stream, two seconds at most. Evocation reads no further while it saves: a
/// stream that is created with an unfolding closure, as above, holds the service back. A stream with
/// a buffer should limit it.
///
/// ## Errors
///
/// When the stream ends with an error, Evocation waits longer after each failure, and then asks for
/// another one. It waits at least for the ``ClassifiedError/retryAfter`` of the error. A stream that ends
/// without an error, after it has returned something since it was connected, has not failed.
public protocol LiveRepository<Model>: Repository {
  /// Whether the service sends changes, as the repository is configured.
  ///
  /// The default is true. Evocation reads it before it asks for a stream, so it has to be
  /// inexpensive.
  var sendsLiveChanges: Bool { get }

  /// Whether each stream begins with an element as soon as the connection stands.
  ///
  /// The default is false: Evocation then takes a stream to be connected from the beginning.
  var announcesConnection: Bool { get }

  /// Returns what changes from now on, for as long as the connection lasts.
  ///
  /// - Parameter mark: The last ``RemoteChanges/mark`` that the local store has, also from an earlier
  ///   launch; nil if there is none, after a sign-out, and after another registration with the same
  ///   store. A service that knows its mark first sends what was missed since.
  /// - Returns: The changes, in the order in which the service made them. A change that arrives twice
  ///   does no harm.
  func liveChanges(since mark: String?) -> AsyncThrowingStream<RemoteChanges<Model>, any Error>
}

extension LiveRepository {
  /// True: the service sends changes.
  public var sendsLiveChanges: Bool { true }

  /// False: a stream is taken to be connected from the beginning.
  public var announcesConnection: Bool { false }
}

/// An error that may say that a service has ended a stream in order.
package protocol StreamEnding: Error {
  /// Whether it has, after it had sent something.
  var isOrderlyEnd: Bool { get }
}

/// What changed at the service, and the mark to go on from.
///
/// ```swift
/// RemoteChanges(stored: [car], removed: ["7"], mark: "1042")
/// ```
///
/// Evocation saves each of these with its mark in one transaction. Your app's unsent changes stay on
/// top of it.
///
/// Elements without models and ids have a meaning too:
///
/// - With a mark, nothing of this model type has changed up to it. As the first element of a stream,
///   it says that nothing was missed since the mark that the stream was asked for.
/// - Without a mark, changes may have been missed. Evocation then fetches what the app observes.
public struct RemoteChanges<Model: Sendable>: Sendable, PlainlyPrinted {
  /// The new and changed models, as they are now.
  public var stored: [Model]

  /// The ids of the removed models, as text: a number as its digits, a UUID in either case.
  ///
  /// Ids that the local store does not have are ignored.
  public var removed: [String]

  /// The service's change token, to go on from after a lost connection; nil if it has none.
  public var mark: String?

  /// The service's version of each of the stored models, in their order; empty if it has none.
  ///
  /// Versions that are whole numbers, or dates of one form such as `2026-01-31 12:00:00Z`, have an
  /// order: a model that is older than the one in the local store is a late message, and changes
  /// nothing. Other versions, such as entity tags, have none.
  public var versions: [String?]

  /// The coding keys that the service did not send, for each of the stored models, in their order.
  ///
  /// Empty if each has all its keys. Under such a key the local store keeps the value that it has.
  public var absentKeys: [Set<String>]

  /// The ids of models that the service has sent, and that cannot be read.
  package var unreadable: [String] = []

  /// Creates changes.
  public init(
    stored: [Model] = [], removed: [String] = [], mark: String? = nil, versions: [String?] = [],
    absentKeys: [Set<String>] = []
  ) {
    self.stored = stored
    self.removed = removed
    self.mark = mark
    self.versions = versions
    self.absentKeys = absentKeys
  }
}
