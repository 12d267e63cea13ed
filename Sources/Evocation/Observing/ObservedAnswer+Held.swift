extension ObservedAnswer {
  /// Finds how many changes, of those that arrived during the question, the answer holds already.
  ///
  /// A repository does not tell at which commit it read. But for each model that was touched the
  /// changes tell how it was before and after each, so that an answer fits only where it was read.
  /// Where it fits several times, what lies between led back to where it began, and the last counts.
  ///
  /// - Returns: The count, or nil when the answer fits nowhere or a change tells no models.
  func heldCount(of changes: [RepositoryChange<Model>]) throws -> Int? {
    guard !changes.isEmpty else { return 0 }
    guard let histories = try histories(of: changes) else { return nil }
    let shown = Dictionary(entries.map { ($0.place.id, $0) }) { $1 }
    // At each place, how many more models fit there than one place before.
    var steps = Array(repeating: 0, count: changes.count + 2)
    for (id, history) in histories {
      var start = 0
      var state = history.first?.before
      for event in history {
        if isSame(state, shown[id]) {
          steps[start] += 1
          steps[event.place] -= 1
        }
        (start, state) = (event.place, event.after)
      }
      if isSame(state, shown[id]) { steps[start] += 1 }
    }
    var (fitting, last) = (0, Int?.none)
    for place in 0...changes.count {
      fitting += steps[place]
      if fitting == histories.count { last = place }
    }
    return last
  }

  /// What happened to each model, in order; nil when that is not told.
  private func histories(of changes: [RepositoryChange<Model>]) throws -> [ModelID: [Event]]? {
    var histories: [ModelID: [Event]] = [:]
    for (index, change) in changes.enumerated() {
      guard case .models(let stored, let updated, let removed) = change else { return nil }
      for model in removed {
        histories[try id(model), default: []].append(
          Event(place: index + 1, before: try entry(model), after: nil))
      }
      for update in updated {
        histories[try id(update.after), default: []].append(
          Event(
            place: index + 1, before: try entry(update.before), after: try entry(update.after)))
      }
      for model in stored {
        histories[try id(model), default: []].append(
          Event(place: index + 1, before: nil, after: try entry(model)))
      }
    }
    return histories
  }

  private func isSame(_ left: Entry?, _ right: Entry?) -> Bool {
    guard let left, let right else { return left == nil && right == nil }
    return isSame(left, right)
  }

  /// What a change did to one model; nil where it is not shown.
  private struct Event {
    /// How many changes were done with this one.
    let place: Int
    let before: Entry?
    let after: Entry?
  }
}
