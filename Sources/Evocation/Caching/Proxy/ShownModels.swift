/// Which models one who observes a list was shown last.
final class ShownModels<Model: Sendable>: Sendable {
  private struct State {
    /// Nil while it is not known, when any change may concern them.
    var ids: Set<ModelID>?
  }

  private let access: ModelAccess<Model>?
  private let state = Lock(State())

  init(_ access: ModelAccess<Model>?) {
    self.access = access
  }

  func forget() {
    state.withLock { $0.ids = nil }
  }

  func remember(_ models: [Model]) {
    guard let access else { return }
    let ids = try? Set(models.map(access.id))
    state.withLock { $0.ids = ids }
  }

  /// Whether a change may show; a removed model may move all that come after it.
  func isChanged(by change: RepositoryChange<Model>) -> Bool {
    guard case .models(let stored, let updated, let removed) = change.extent, removed.isEmpty,
      let access, let ids = state.withLock({ $0.ids })
    else { return true }
    let changed = stored + updated.map(\.after)
    return changed.contains { model in (try? access.id(model)).map(ids.contains) ?? true }
  }
}
