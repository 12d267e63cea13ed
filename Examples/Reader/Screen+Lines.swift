import Evocation
import EvocationHTTP
import Fixtures
import Foundation

extension Screen {
  /// Returns the screen as lines of text.
  ///
  /// The age of the list differs from run to run, so it can be left out.
  func lines(showsAge: Bool) -> [String] {
    let heading = search.isEmpty ? "Airports by name" : "Airports whose name has \"\(search)\""
    let shown = airports.enumerated().dropFirst(top).prefix(height).map(line)
    let rows = shown.isEmpty ? ["  " + reasonForNothing] : shown
    let blank = Array(repeating: "", count: max(0, height - rows.count))
    let news = [news.line ?? hint].compactMap(\.self)
    return [heading] + rows + blank + [status(showsAge: showsAge), stars.line] + news + [help]
  }

  private func line(_ number: Int, _ airport: Airport) -> String {
    let place = [airport.city, airport.state].compactMap(\.self).joined(separator: ", ")
    let mark = number == selected ? ">" : " "
    let count = Self.pad("\(number + 1)", 5, fromLeft: true)
    let columns = "\(Self.pad(airport.id, 4)) \(Self.pad(airport.name, 36)) \(place)"
    return "\(mark)\(count)\(stars.mark(of: airport)) \(columns)"
  }

  private var reasonForNothing: String {
    guard let state else { return "…" }
    if state.isRefreshing { return "Fetching for the first time …" }
    if let error = state.refreshError { return "Nothing here yet: \(Self.sentence(error))" }
    return state.fetchedAt == nil ? "Nothing was fetched yet." : "There is no such airport."
  }

  /// Returns the list's source and age, the running fetch, and errors.
  func status(showsAge: Bool) -> String {
    guard let state else { return "starting" }
    var parts = [
      isOnline ? "online" : "offline", hasFetched ? "from the service" : "from the file",
    ]
    if state.isLive { parts.insert("live", at: 1) }
    if state.fetchedAt == nil { parts.append("never fetched") }
    if let freshness = state.freshness { parts.append(freshness == .fresh ? "fresh" : "stale") }
    if showsAge, let age = state.cacheAge {
      parts.append(
        "\(age.formatted(.units(allowed: [.hours, .minutes, .seconds], width: .narrow))) old")
    }
    if state.isRefreshing { parts.append("refreshing") }
    if let error = state.refreshError { parts.append("refresh failed, \(Self.sentence(error))") }
    guard state.fetchedAt != nil else { return parts.joined(separator: " · ") }
    parts.append("\(airports.count) loaded")
    switch state.next {
    case .fixed(let more): parts.append(more ? "more to come" : "that is all")
    case .loading: parts.append("loading more")
    case .error(let error): parts.append("no more for now, \(Self.sentence(error))")
    }
    return parts.joined(separator: " · ")
  }

  private var help: String {
    if let typed { return "Search: \(typed)_   (enter, or escape to leave)" }
    let other = isOnline ? "offline" : "online"
    return "↑ ↓ space scroll   r refresh   / search   s star   o \(other)   q quit"
  }

  /// Returns the part of an error's text that a user needs, without the advice for developers.
  private static func sentence(_ error: any Error) -> String {
    if let error = error as? HTTPError, error.code == .refused { return "the service is not there" }
    return String("\(error)".prefix { $0 != ";" })
  }

  private static func pad(_ text: String, _ width: Int, fromLeft: Bool = false) -> String {
    let cut = text.count > width ? text.prefix(width - 1) + "…" : Substring(text)
    let blank = String(repeating: " ", count: width - cut.count)
    return fromLeft ? blank + cut : cut + blank
  }
}
