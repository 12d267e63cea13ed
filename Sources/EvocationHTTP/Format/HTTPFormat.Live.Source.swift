extension HTTPFormat.Live {
  /// A way in which events arrive other than as the answer to a request: MQTT, pushes, a socket.
  ///
  /// A closure opens each connection, and returns its events:
  ///
  /// ```swift
  /// live.source = .init { opening in
  ///   let client = try await broker.connect(opening.request.headers["Authorization"])
  ///   let events = client.messages.map { ServerSentEvent(name: $0.kind, data: $0.payload) }
  ///   return .init(events) { topics in try await client.subscribe(to: topics) }
  /// }
  /// ```
  ///
  /// A service that speaks over a WebSocket needs no closure; see ``webSocket(_:)``.
  ///
  /// ## Connections
  ///
  /// All models of an ``HTTPService`` whose formats have the same ``HTTPFormat/Live/route`` share one
  /// connection, as they share a stream. Evocation opens another one after its end, after longer and
  /// longer pauses, and when the service's requests have another credential. Everything else that a
  /// format says of a stream holds too: each event is a sign of the service, by which
  /// ``HTTPFormat/Live/longestSilence`` counts, and the ``HTTPFormat/Live/greeting`` is an event.
  ///
  /// ## Execution
  ///
  /// Evocation calls the closure on no actor, and waits for it as long as for an answer
  /// (``HTTPService/Configuration-swift.struct/timeout``). It asks for the next event when the one
  /// before is taken; a source that holds events until then has to limit how many. At the end of a
  /// connection Evocation cancels the task that reads it, waits for nothing, and ignores what the source
  /// still sends.
  ///
  /// ## Errors
  ///
  /// An error ends the connection, and counts as the error of a transport would: throw an ``HTTPError``
  /// with the code or the status that fits, or a `ClassifiedError`. After a 401 Evocation asks the app
  /// for another credential. A `URLError` is translated, and any other error is `connectionLost`, as is
  /// the end of the events.
  public struct Source: Sendable {
    enum Way: Sendable {
      case closure(@Sendable (Opening) async throws -> Connection)
      case webSocket(WebSocket)
    }

    let way: Way

    /// Creates a source whose connections a closure opens.
    public init(_ open: @escaping @Sendable (Opening) async throws -> Connection) {
      way = .closure(open)
    }

    private init(way: Way) {
      self.way = way
    }

    /// Returns the source of a WebSocket, which the service's transport opens at the route's address.
    public static func webSocket(_ socket: WebSocket) -> Source {
      Source(way: .webSocket(socket))
    }
  }

  /// What a source knows when it opens a connection.
  public struct Opening: Sendable {
    /// The request that would open the stream, as the app completes it, with its credential.
    ///
    /// It has the address and the header fields of the ``HTTPFormat/Live/route``. Evocation does not
    /// send it.
    public let request: HTTPTransportRequest

    /// The id of the last event that the local store has; nil if there is none.
    ///
    /// It is also the field `Last-Event-ID` of the request. Without ``HTTPFormat/Live/replays`` it is
    /// nil.
    public let mark: String?
  }

  /// A connection that a source has opened: its events, and how it is subscribed to models.
  public struct Connection: Sendable {
    typealias Subscribe = @Sendable (_ topics: [String]) async throws -> Void

    let subscribe: Subscribe?
    let read: @Sendable (@escaping @Sendable (LiveSign) async throws -> Void) async throws -> Void

    /// Creates a connection.
    ///
    /// Evocation calls `subscribe` with all topics that are followed: after the greeting, and again when
    /// they have changed, one call at a time. A model counts as connected when the call has returned, or
    /// when the service has confirmed its topic (``HTTPFormat/Live/confirmsTopics``). A call may take
    /// as long as a greeting.
    ///
    /// - Parameters:
    ///   - events: The events, which one task reads.
    ///   - subscribe: Asks the service for the changes of these topics and no others; nil, the default,
    ///     if it sends the changes of all models.
    public init<Events: AsyncSequence & Sendable>(
      _ events: Events,
      subscribe: (@Sendable (_ topics: [String]) async throws -> Void)? = nil
    ) where Events.Element == ServerSentEvent {
      self.init(subscribe: subscribe) { take in
        for try await event in events { try await take(.event(event)) }
      }
    }

    init(
      subscribe: Subscribe?,
      reading read:
        @escaping @Sendable (@escaping @Sendable (LiveSign) async throws -> Void) async throws ->
        Void
    ) {
      (self.subscribe, self.read) = (subscribe, read)
    }
  }
}

/// What a connection passes on as it arrives.
enum LiveSign: Sendable {
  case event(ServerSentEvent)
  /// Something arrived that is no event, such as a comment.
  case heartbeat
  /// Something arrived that cannot be read as an event.
  case unreadable
  /// How long the service asks to wait before the next connection.
  case retry(Duration)
}
