public import Foundation

extension HTTPFormat {
  /// The way in which a service sends changes while your app observes models: as events.
  ///
  /// It alone opens no connection: your app switches on that services are followed, with the product
  /// `EvocationLive`.
  ///
  /// Take a preset, or describe the events of your service by a table:
  ///
  /// ```swift
  /// var events = HTTPFormat.Live.Table(action: .key("op"), stored: ["insert"], removed: ["delete"])
  /// events.topic = .key("table")
  /// events.model = "row"
  /// events.id = "row.id"
  /// format.live = HTTPFormat.Live(.init("GET", "feed"), reading: events)
  /// ```
  ///
  /// ## Connections
  ///
  /// All models of an ``HTTPService`` whose formats have the same route share one connection, also if they
  /// read the events in different ways. If formats differ in the ``greeting``, in ``replays`` or in a
  /// limit, each has its own connection. If the path of the route contains `{path}`, each model type has
  /// one. A connection is open while at
  /// least one of its models is followed. It takes none of ``HTTPLimits/requestsAtOnce``, and the
  /// service's ``HTTPService/Configuration-swift.struct/timeout`` applies only to its beginning.
  ///
  /// ## Errors
  ///
  /// An event that does not decode does not end the connection: it is logged, and Evocation fetches
  /// what the app observes. Events of other names and topics are ignored.
  public struct Live: Sendable {
    /// The request that opens the stream, such as `GET events`.
    ///
    /// Models whose formats have the same route share a stream, also where a ``source`` opens it.
    public var route: Route

    /// Another way in which the events arrive; nil, the default, for an answer of server-sent events.
    public var source: Source?

    /// The name of the event with which the service begins each stream; nil, the default, for none.
    ///
    /// With it, a stream counts as connected when that event has arrived. A proxy that holds back the
    /// events is then noticed after ``greetingTimeout``, and otherwise only after ``longestSilence``.
    public var greeting: String?

    /// The longest time from the head of the answer to the ``greeting``; 15 seconds by default.
    public var greetingTimeout: Duration

    /// How a stream is subscribed to models; nil, the default, if it sends the changes of all models.
    public var subscription: Subscription?

    /// Whether an event says that the service knows a topic; by default whether the table has one.
    ///
    /// Then a model is connected when its topic is confirmed (``Change/subscribed``), and otherwise when
    /// the subscription was sent. The time for it is the ``greetingTimeout``.
    public var confirmsTopics: Bool

    /// The longest time without any byte, also of a comment; 90 seconds by default.
    ///
    /// Evocation then takes the connection to be dead. Set it to more than twice the interval in which
    /// the service sends its heartbeats.
    public var longestSilence: Duration

    /// Whether the service first sends the events after the one that `Last-Event-ID` names.
    ///
    /// The default is false. If it is true, each event has an `id`, and Evocation saves it with the
    /// changes. A service that no longer has the events after an id has to say that events were missed,
    /// such as by an event whose action is in ``Table/missed``.
    public var replays: Bool

    /// The largest size of an event in bytes; 1 MiB by default.
    ///
    /// ``HTTPService/Configuration-swift.struct/maximumResponseSize`` limits it too.
    public var maximumEventSize: Int

    /// A closure that returns the topic of the models at a path; the path itself by default.
    public var topic: @Sendable (_ path: String) -> String

    /// A closure that reads an event, or returns nil for an event that is not about models.
    ///
    /// Evocation calls it for each event of a connection. If it throws, Evocation takes changes of all
    /// models of the connection to be missed.
    public var read: @Sendable (ServerSentEvent) throws -> Message? {
      didSet { reading = .closure(Token()) }
    }

    /// Tells one way to read events from others: models with the same route may read each in its own way.
    private(set) var reading: Reading

    enum Reading: Hashable {
      case table(Table)
      /// The closure of one format and its copies.
      case closure(Token)
    }

    final class Token: Hashable, Sendable {
      static func == (one: Token, other: Token) -> Bool { one === other }

      func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
    }

    /// Creates a stream whose events a closure reads.
    ///
    /// - Parameters:
    ///   - route: The request that opens the stream.
    ///   - read: Returns what an event says, or nil for an event that is not about models.
    public init(
      _ route: Route, read: @escaping @Sendable (ServerSentEvent) throws -> Message?
    ) {
      self.route = route
      self.read = read
      reading = .closure(Token())
      greetingTimeout = .seconds(15)
      longestSilence = .seconds(90)
      replays = false
      maximumEventSize = 1 << 20
      confirmsTopics = false
      topic = { $0 }
    }

    /// Creates a stream whose events a table describes.
    public init(_ route: Route, reading table: Table) {
      self.init(route) { table.message(of: $0) }
      reading = .table(table)
      confirmsTopics = !table.subscribed.isEmpty
    }
  }
}

extension HTTPFormat.Live {
  /// What all models of a connection have to agree on, beside its request.
  var beginning: String {
    "\(greeting ?? "-") \(greetingTimeout) \(longestSilence) \(replays) \(maximumEventSize) "
      + "\(confirmsTopics)"
  }
}

extension HTTPFormat.Live {
  /// What one event says, and the topic of the models that it is about.
  ///
  /// ```swift
  /// var live = HTTPFormat.Live(.init("GET", "feed")) { event in
  ///   guard event.name == "car" else { return nil }
  ///   return .init(topic: "cars", [.stored(at: "body")])
  /// }
  /// ```
  public struct Message: Sendable, Hashable {
    /// The topic of the models, by ``HTTPFormat/Live/topic``; nil for all models of the connection.
    public var topic: String?

    /// The changes, in their order.
    public var changes: [Change]

    /// Whether the event was not readable, so that what it says is not known.
    var isUnreadable = false

    /// Creates a message.
    public init(topic: String? = nil, _ changes: [Change]) {
      self.topic = topic
      self.changes = changes
    }
  }

  /// One change of which an event informs.
  public enum Change: Sendable, Hashable {
    /// A model, or an array of models, at a place of the event's data; `""` is the data themselves.
    ///
    /// Evocation decodes it as in other answers, without the ``HTTPFormat/envelope``. The id is only
    /// for formats with ``HTTPFormat/listsByID``, whose models may lack it.
    case stored(at: String, id: String? = nil)
    /// The model with this id was removed.
    case removed(String)
    /// Something may have changed; Evocation fetches what the app observes.
    case missed
    /// The service now sends the changes of the message's topic; without one, of all that it was asked for.
    case subscribed
    /// The service ends the stream, for the reason for which it would answer a request by this status.
    ///
    /// It counts only for a topic that is followed, if the message has one.
    case ended(status: Int)
  }

  /// The request by which a service is asked for the changes of models, after its greeting.
  ///
  /// Evocation sends it again, with all topics, when the models that it follows have changed.
  public struct Subscription: Sendable {
    /// The request, such as `POST realtime`.
    public var route: HTTPFormat.Route

    /// A closure that returns the body, as JSON, from the greeting and the topics.
    ///
    /// The greeting is nil if the format has no ``HTTPFormat/Live/greeting``.
    public var body: @Sendable (_ greeting: ServerSentEvent?, _ topics: [String]) throws -> Data

    /// Creates a subscription.
    public init(
      _ route: HTTPFormat.Route,
      body: @escaping @Sendable (_ greeting: ServerSentEvent?, _ topics: [String]) throws -> Data
    ) {
      self.route = route
      self.body = body
    }
  }
}
