extension Strategy.Explanation {
  /// A Markdown table for each group of actions with the same outcomes, then warnings and notes.
  public var description: String {
    var groups: [(actions: [Strategy.Action], lines: [String])] = []
    for action in Strategy.Action.allCases {
      let lines = rows.filter { $0.action == action }.map(\.line)
      if lines.isEmpty { continue }
      if let index = groups.firstIndex(where: { $0.lines == lines }) {
        groups[index].actions.append(action)
      } else {
        groups.append(([action], lines))
      }
    }
    let tables = groups.map { group in
      let names = group.actions.map(\.rawValue).joined(separator: ", ")
      return "| \(names) | result |\n|---|---|\n" + group.lines.joined(separator: "\n")
    }
    let lines = (warnings + notes).map { "- \($0)" }.joined(separator: "\n")
    return (tables + (lines.isEmpty ? [] : [lines])).joined(separator: "\n\n")
  }
}

extension Strategy.Explanation.Row {
  /// The row as a sentence.
  package var description: String { "\(action.rawValue): \(course); \(ending)." }

  fileprivate var line: String { "| \(course) | \(ending) |" }

  private var course: String {
    let age = isFresh.map { $0 ? ["local is fresh"] : ["local is not fresh"] } ?? []
    return (age + events.map(\.description)).joined(separator: ", ")
  }

  private var ending: String {
    var parts: [String] = []
    if let origin { parts.append("data from \(origin.rawValue)\(isEmpty ? ", empty" : "")") }
    if let error { parts.append("error from \(error.rawValue)") }
    if didNotFollow, let origin {
      parts.append("synchronizationError from \(origin.counterpart.rawValue)")
    }
    if revalidates { parts.append("then remote is asked in the background") }
    if needsOutbox, origin == .local, !isEmpty { parts.append("the outbox sends it to remote") }
    return parts.joined(separator: "; ")
  }

  private var isEmpty: Bool {
    events.last { $0.repository == origin && $0.role.isAsked }?.outcome == .empty
  }
}

extension Strategy.Explanation.Event {
  /// The event as a clause.
  package var description: String {
    switch (role, outcome) {
    case (.synchronization, .failure):
      isRefusal ? "\(repository.rawValue) refuses it" : "syncing to \(repository.rawValue) fails"
    case (.rollback, .failure): "\(repository.rawValue) cannot undo it"
    case (.rollback, _): "\(repository.rawValue) undoes it"
    case (.synchronization, _): "\(repository.rawValue) is synced"
    case (_, .models): "\(repository.rawValue) answers"
    case (_, .empty): "\(repository.rawValue) has nothing"
    case (_, .unknown): "\(repository.rawValue) has nothing and was never fetched"
    case (_, .failure): "\(repository.rawValue) \(isRefusal ? "refuses" : "fails")"
    }
  }
}

extension Evocation.Metadata.Role {
  /// Whether a repository in this role may return the call's answer.
  fileprivate var isAsked: Bool {
    switch self {
    case .target, .fallback, .cache: true
    case .synchronization, .rollback: false
    }
  }
}
