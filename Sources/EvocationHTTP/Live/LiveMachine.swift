/// Decides when a stream is opened, subscribed and closed, and which of its readers an event concerns.
///
/// It is a value that knows no connection, task or lock:
///
/// - The first reader opens the stream, and the last one that leaves closes it.
/// - A reader is connected when the head has arrived, after the greeting if there is one, and after the
///   subscription of its topic if there is one. Events that arrive before that are not for it, because
///   it then fetches what it observes.
/// - One subscription is under way at a time. If the topics have changed by its end, another one
///   follows. It ends when it was sent, or when the service has confirmed the last of its topics.
/// - Another credential opens the stream again, from where each reader is.
struct LiveMachine {
  enum Event {
    case join(Int, topic: String, since: String?)
    case leave(Int)
    /// The head of the answer has arrived.
    case opened
    case greeted
    /// The last subscription was sent.
    case subscribed
    /// The service knows a topic of the last subscription; without one, all of them.
    case confirmed(topic: String?)
    /// An event about a topic, or about all topics.
    case message(topic: String?, id: String?)
    case ended
    /// Another credential is sent now than that of the connection.
    case renewed
  }

  enum Effect: Equatable {
    case open
    case subscribe([String])
    /// A reader is connected; with a mark, it has missed nothing since.
    case connected(Int, mark: String?)
    /// The event is for these readers, and leaves them at this mark.
    case deliver([Int], mark: String?)
    /// The stream has ended for these readers.
    case end([Int])
    case close
  }

  /// What the stream of a format needs.
  struct Form {
    var isGreeted = false
    var isSubscribed = false
    /// Whether the service confirms the topics of a subscription.
    var isConfirmed = false
    var replays = false
  }

  private enum Phase {
    case closed
    case opening
    /// The head has arrived, and the greeting has not.
    case waiting
    /// Topics are known to the service, and others are under way.
    case standing(known: Set<String>, underWay: Set<String>?)
  }

  private struct Reader {
    let topic: String
    let since: String?
    var isConnected = false
    /// The mark with which it goes on if the stream ends now; nil if it has missed something.
    var mark: String?
    /// Whether the request was sent with the reader's mark in view.
    var isAsked = false
  }

  private let form: Form
  private var phase = Phase.closed
  private var readers: [Int: Reader] = [:]
  private var marks = LiveMarks()
  /// The mark from which the connection goes on; nil if it goes on from nowhere.
  private var start: String?
  private var hasNews = false

  init(_ form: Form) {
    self.form = form
  }

  /// The topics that are followed, in their order.
  var topics: [String] { Set(readers.values.map(\.topic)).sorted() }

  /// Whether a subscription is under way.
  var isSubscribing: Bool {
    if case .standing(_, _?) = phase { true } else { false }
  }

  /// Returns the mark to go on from, just before the request is sent.
  mutating func asked() -> String? {
    guard form.replays else { return nil }
    let known = readers.sorted { $0.key < $1.key }.compactMap { position(of: $0.value) }
    start = marks.oldest(known)
    hasNews = false
    for number in readers.keys { readers[number]?.isAsked = true }
    return start
  }

  mutating func handle(_ event: Event) -> [Effect] {
    switch event {
    case .join(let number, let topic, let since):
      readers[number] = Reader(topic: topic, since: LiveMarks.mark(since))
      return joined()
    case .leave(let number):
      guard let reader = readers.removeValue(forKey: number) else { return [] }
      recordMark(of: reader)
      return left()
    case .opened:
      phase = form.isGreeted ? .waiting : .standing(known: [], underWay: nil)
      return form.isGreeted ? [] : connect()
    case .greeted:
      guard case .waiting = phase else { return [] }
      phase = .standing(known: [], underWay: nil)
      return connect()
    case .subscribed: return know(form.isConfirmed ? [] : nil)
    case .confirmed(let topic): return know(topic.map { [$0] })
    case .message(let topic, let id):
      return message(topic, LiveMarks.mark(id))
    case .ended:
      for reader in readers.values { recordMark(of: reader) }
      defer { (phase, readers, start) = (.closed, [:], nil) }
      return readers.isEmpty ? [] : [.end(readers.keys.sorted())]
    case .renewed:
      return renewed()
    }
  }

  private mutating func renewed() -> [Effect] {
    guard !readers.isEmpty else { return [] }
    for (number, reader) in readers {
      recordMark(of: reader)
      readers[number] = Reader(
        topic: reader.topic, since: reader.isConnected ? reader.mark : reader.since)
    }
    (phase, start) = (.opening, nil)
    return [.close, .open]
  }

  private mutating func joined() -> [Effect] {
    switch phase {
    case .closed:
      phase = .opening
      return [.open]
    case .opening, .waiting: return []
    case .standing: return connect()
    }
  }

  private mutating func left() -> [Effect] {
    guard readers.isEmpty else {
      guard case .standing = phase else { return [] }
      return connect()
    }
    if case .closed = phase { return [] }
    (phase, start) = (.closed, nil)
    return [.close]
  }

  /// Records topics of the subscription that is under way; nil for all of them.
  private mutating func know(_ topics: Set<String>?) -> [Effect] {
    guard case .standing(let known, let all?) = phase else { return [] }
    let now = topics.map { known.union($0).intersection(all) } ?? all
    phase = .standing(known: now, underWay: now == all ? nil : all)
    return connect()
  }

  /// Connects the readers whose topics the service knows, and subscribes to the present topics.
  private mutating func connect() -> [Effect] {
    guard case .standing(let known, let underWay) = phase else { return [] }
    var effects: [Effect] = []
    for (number, reader) in readers.sorted(by: { $0.key < $1.key }) where !reader.isConnected {
      guard !form.isSubscribed || known.contains(reader.topic) else { continue }
      let mark = isCovered(reader) ? reader.since : nil
      readers[number]?.isConnected = true
      readers[number]?.mark = mark
      effects.append(.connected(number, mark: mark))
    }
    if form.isSubscribed, underWay == nil, known != Set(topics) {
      phase = .standing(known: known, underWay: Set(topics))
      effects.append(.subscribe(topics))
    }
    return effects
  }

  private mutating func message(_ topic: String?, _ id: String?) -> [Effect] {
    let mark = form.replays ? id : nil
    if let mark {
      marks.record(mark)
      hasNews = true
    }
    var numbers: [Int] = []
    for (number, reader) in readers where topic == nil || topic == reader.topic {
      readers[number]?.mark = mark
      // A reader that is connected later has missed the event.
      if reader.isConnected { numbers.append(number) } else { readers[number]?.isAsked = false }
    }
    return numbers.isEmpty ? [] : [.deliver(numbers.sorted(), mark: mark)]
  }

  /// Records that a reader has missed something, so that its mark says nothing.
  mutating func recordMissed(_ number: Int) {
    readers[number]?.mark = nil
  }

  /// Whether a reader that is now connected has missed nothing since its mark.
  ///
  /// A reader that joined after the request was sent may have missed events that came by then.
  private func isCovered(_ reader: Reader) -> Bool {
    guard let position = position(of: reader), form.replays else { return false }
    guard reader.isAsked else { return position == (hasNews ? marks.last : start) }
    return start.map { marks.isCovered(position, from: $0) } ?? false
  }

  private func position(of reader: Reader) -> String? {
    reader.since.map { marks.last(of: reader.topic, since: $0) }
  }

  private mutating func recordMark(of reader: Reader) {
    guard form.replays, reader.isConnected else { return }
    marks.record(reader.mark, reachedBy: reader.topic)
  }
}
