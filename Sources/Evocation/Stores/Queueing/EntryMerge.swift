/// What a new write does to the last entry on its instance, which was not attempted yet.
///
/// Two writes become one if the server cannot tell the difference. If the last entry was attempted,
/// only `keep` applies.
enum EntryMerge: Hashable {
  /// The outbox sends both.
  case append
  /// The outbox sends one write of this kind, with the later model.
  case replace(Outbox.EntryKind)
  /// The outbox sends neither.
  case cancel
  /// The outbox sends the first, and the second adds nothing to it.
  case keep

  init(_ last: Outbox.EntryKind, _ next: Outbox.EntryKind) {
    self =
      switch (last, next) {
      case (.store, .update), (.store, .storeOrUpdate): .replace(.store)
      case (.store, .remove): .cancel
      case (.update, .update): .replace(.update)
      case (.update, .storeOrUpdate), (.storeOrUpdate, .update), (.storeOrUpdate, .storeOrUpdate):
        .replace(.storeOrUpdate)
      case (.update, .remove), (.storeOrUpdate, .remove): .replace(.remove)
      case (.remove, .remove): .keep
      // A removed model that is added again is a new model for the server.
      case (.remove, .store), (.remove, .update), (.remove, .storeOrUpdate): .append
      // The earlier model was removed from the local store by a write that bypassed the outbox.
      case (.store, .store), (.update, .store), (.storeOrUpdate, .store): .append
      }
  }
}
