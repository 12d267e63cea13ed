import Foundation

extension HTTPFormat.Live {
  /// Where the events of a service say what changed.
  ///
  /// The default is this form, for a stream of one model type:
  ///
  /// ```text
  /// event: stored
  /// data: {"model": {"id": 7, "name": "Fiat"}}
  ///
  /// event: removed
  /// data: {"id": 7}
  /// ```
  ///
  /// Keys may contain dots for nested objects, such as `data.record`.
  public struct Table: Sendable, Hashable {
    /// A part of an event.
    public enum Place: Sendable, Hashable {
      /// The event's name.
      case name
      /// The text under this key of the event's data.
      case key(String)
    }

    /// The names of the events that are about models; nil, the default, for any name.
    ///
    /// If the action is the name, the actions are these names too.
    public var names: Set<String>?

    /// The place of the topic; nil, the default, if all events are about the models of the connection.
    public var topic: Place?

    /// The place of the action.
    public var action: Place

    /// The actions that stored or changed a model, or several.
    public var stored: Set<String>

    /// The actions that removed a model.
    public var removed: Set<String>

    /// The actions that say that changes may have been missed.
    public var missed: Set<String>

    /// The actions that say that the service now sends a topic's changes; none by default.
    public var subscribed: Set<String> = []

    /// The actions that end the stream, each with the status of a request that is refused like this.
    ///
    /// There are none by default. A 401 asks the app for another credential.
    public var ended: [String: Int] = [:]

    /// The key of the model, or of an array of models; `""` for the data themselves.
    public var model: String

    /// The key of a removed model's id.
    public var id: String

    /// Creates a table.
    public init(
      action: Place = .name, stored: Set<String> = ["stored"], removed: Set<String> = ["removed"],
      missed: Set<String> = ["missed"], model: String = "model", id: String = "id"
    ) {
      self.action = action
      self.stored = stored
      self.removed = removed
      self.missed = missed
      self.model = model
      self.id = id
    }

    /// Returns what an event says, or nil for an event that is not about models.
    ///
    /// An event without readable JSON, topic, action or id says that changes may have been missed.
    func message(of event: ServerSentEvent) -> Message? {
      if let names, !names.contains(event.name) { return nil }
      if action == .name, !actions.contains(event.name) { return nil }
      let json = try? JSONSerialization.jsonObject(with: event.data, options: .fragmentsAllowed)
      func text(at place: Place) -> String? {
        switch place {
        case .name: event.name
        case .key(let key): JSONPlace.text(json, at: key)
        }
      }
      let topic = topic.flatMap(text)
      guard json != nil, let action = text(at: action) else { return .unreadable(topic) }
      if subscribed.contains(action) { return Message(topic: topic, [.subscribed]) }
      if let status = ended[action] { return Message(topic: topic, [.ended(status: status)]) }
      guard self.topic == nil || topic != nil else { return .unreadable() }
      if stored.contains(action) { return Message(topic: topic, [.stored(at: model)]) }
      if missed.contains(action) { return Message(topic: topic, [.missed]) }
      guard removed.contains(action) else { return nil }
      guard let id = JSONPlace.text(json, at: id) else { return .unreadable(topic) }
      return Message(topic: topic, [.removed(id)])
    }

    private var actions: Set<String> {
      stored.union(removed).union(missed).union(subscribed).union(ended.keys)
    }
  }
}

extension HTTPFormat.Live.Message {
  /// Returns the message of an event that is not readable.
  static func unreadable(_ topic: String? = nil) -> Self {
    var message = Self(topic: topic, [.missed])
    message.isUnreadable = true
    return message
  }
}
