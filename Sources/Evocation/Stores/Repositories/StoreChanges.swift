/// The changes that a commit made in a local store.
package struct StoreChanges<Model: Sendable>: Sendable {
  package var stored: [Model]
  package var updated: [RepositoryChange<Model>.Update]
  package var removed: [Model]

  /// Whether models were stored or updated, and it is not known which of the two.
  package var isMixed: Bool

  package init(
    stored: [Model] = [], updated: [RepositoryChange<Model>.Update] = [], removed: [Model] = [],
    isMixed: Bool = false
  ) {
    self.stored = stored
    self.updated = updated
    self.removed = removed
    self.isMixed = isMixed
  }

  /// Whether the commit touched no model.
  package var isEmpty: Bool { !isMixed && stored.isEmpty && updated.isEmpty && removed.isEmpty }

  /// Returns the change to report to observers, or nil if the commit touched no model.
  package func asRepositoryChange(version: UInt64) -> RepositoryChange<Model>? {
    if isMixed { return .unknown(version: version) }
    if isEmpty { return nil }
    return .models(stored: stored, updated: updated, removed: removed, version: version)
  }

  /// Adds the changes of a later step of the same transaction.
  package mutating func add(_ later: StoreChanges, _ id: (Model) -> ModelID) {
    if later.isEmpty { return }
    self = isEmpty ? later : StoreChanges([self, later], id)
  }

  /// Joins the changes of the steps of a transaction, in their order, into one.
  ///
  /// It has each model once, as it was before the transaction and as it is after it.
  package init(_ all: [StoreChanges], _ id: (Model) -> ModelID) {
    let parts = all.filter { !$0.isEmpty }
    guard parts.count > 1, !parts.contains(where: \.isMixed) else {
      self = parts.first ?? StoreChanges()
      isMixed = parts.contains(where: \.isMixed)
      return
    }
    var known: [ModelID: Difference] = [:]
    var order: [ModelID] = []
    for changes in parts {
      for (before, after) in changes.steps {
        guard let model = after ?? before else { continue }
        let key = id(model)
        if known[key] == nil { order.append(key) }
        known[key] = Difference(before: known[key].map(\.before) ?? before, after: after)
      }
    }
    self.init()
    for lastState in order.compactMap({ known[$0] }) {
      switch (lastState.before, lastState.after) {
      case (nil, nil): continue
      case (nil, let after?): stored.append(after)
      case (let before?, nil): removed.append(before)
      case (let before?, let after?): updated.append(.init(before: before, after: after))
      }
    }
  }

  /// A model before and after a transaction; nil if it is not there.
  private struct Difference {
    let before: Model?
    let after: Model?
  }

  /// Every model before and after.
  private var steps: [(before: Model?, after: Model?)] {
    stored.map { (nil, $0) } + updated.map { ($0.before, $0.after) } + removed.map { ($0, nil) }
  }
}
