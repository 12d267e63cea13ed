/// What a new write makes of the last entry on its instance, which never left.
///
/// Two writes become one where the remote cannot tell the difference.
enum EntryMerge: Hashable {
  /// Both are sent.
  case append
  /// One of this kind is sent, with the later model.
  case replace(Outbox.EntryKind)
  /// Neither is sent.
  case cancel
  /// The first is sent, and the second adds nothing to it.
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
      // A removed model that is added again is another one for the service.
      case (.remove, .store), (.remove, .update), (.remove, .storeOrUpdate): .append
      // The last was removed from local past the outbox.
      case (.store, .store), (.update, .store), (.storeOrUpdate, .store): .append
      }
  }
}
