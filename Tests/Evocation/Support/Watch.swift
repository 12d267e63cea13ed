import Evocation

/// One who observes a cache, and puts each state into words.
///
/// `no` is no cache, `yes/a b` one with two words in it, `yes/nil` an empty one; what else is the
/// case follows after a stroke.
struct Watch<States: AsyncSequence> where States.Failure == Never {
  private var iterator: States.AsyncIterator

  init(_ states: States) {
    iterator = states.makeAsyncIterator()
  }

  /// The next state.
  mutating func state() async -> States.Element? {
    await iterator.next(isolation: #isolation)
  }
}

extension Watch where States.Element == CacheState<[String]> {
  /// The next state in words.
  mutating func next() async -> String {
    await state()?.words ?? "end"
  }

  /// So many further states in words.
  mutating func next(_ count: Int) async -> [String] {
    var all: [String] = []
    for _ in 0..<count { all.append(await next()) }
    return all
  }
}

extension Watch where States.Element == CacheState<[String]> {
  /// All states up to one in words, or up to the end.
  mutating func states(until words: String) async -> [String] {
    var all: [String] = []
    while all.last != words, all.last != "end" { all.append(await next()) }
    return all
  }
}

extension Watch {
  /// The first state, from here on, of which something holds; nil when there is none.
  mutating func state(where holds: (States.Element) -> Bool) async -> States.Element? {
    while let state = await state() {
      if holds(state) { return state }
    }
    return nil
  }
}

extension CacheState<[String]> {
  var words: String {
    let content =
      switch state {
      case .noCache: "no"
      case .cache(let words, _): "yes/" + (words?.joined(separator: " ") ?? "nil")
      }
    var flags: [String] = []
    if isStale { flags.append("stale") }
    if isReading { flags.append("reading") }
    if isRefreshing { flags.append(isFirstFetch ? "refreshing for the first time" : "refreshing") }
    if justFinishedFirstFetch { flags.append("just finished the first fetch") }
    if justFinishedSuccessfulRefresh { flags.append("just refreshed") }
    if let refreshError { flags.append("error \(refreshError)") }
    return flags.isEmpty ? content : "\(content)/\(flags.joined(separator: ", "))"
  }
}
