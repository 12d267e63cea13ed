// For how long this process sends a store's entries, and when it asks whether it may again.
extension OutboxMachine {
  /// Whether the lease is to be renewed, because something of the channel runs.
  ///
  /// That goes on in a pause, or another process would send the same.
  func needsRenewal(_ channel: Channel, at now: Duration) -> Bool {
    renewal(of: channel).map { $0 <= now } ?? false
  }

  /// When the lease is to be renewed for what runs of a channel; nil where nothing does, and where no
  /// process may send.
  func renewal(of channel: Channel) -> Duration? {
    let store = channels[channel].store
    guard isBusy(channel), !held.contains(store) else { return nil }
    let half = configuration.lease.multiplied(by: 0.5)
    return leases[store].map { $0.subtracting(half) } ?? .zero
  }

  private func isBusy(_ channel: Channel) -> Bool {
    running.keys.contains { $0.channel == channel }
  }

  /// The leases that are given back, so that another process need not wait for their ends.
  ///
  /// Nothing is claimed until that is done, because a claim takes this process's lease for its own.
  mutating func releases(at now: Duration) -> [Effect] {
    var effects: [Effect] = []
    for (store, end) in leases {
      let ofStore = channels.indices.filter { channels[$0].store == store }
      guard isPausedByApp || held.contains(store) || yielding.contains(store),
        !ofStore.contains(where: { channels[$0].isClaiming || isBusy($0) })
      else { continue }
      leases[store] = nil
      yielding.remove(store)
      guard end > now, let channel = ofStore.last(where: { !channels[$0].isClosed }) else {
        continue
      }
      releasing.insert(store)
      effects.append(.release(channel, store))
    }
    return effects
  }

  /// Whether a channel's store is to be asked if its entries still wait for a sign-in.
  ///
  /// Only where nothing else keeps this process from sending, and when the store has changed.
  func asks(_ channel: Channel) -> Bool {
    held.contains(channels[channel].store) && channels[channel].wantsScan && !isPausedByApp
      && refusal == nil && !isAtRest
  }

  /// Takes a store's word on whether its entries wait for a sign-in.
  mutating func noteAnswer(_ claim: Claim, of store: ObjectIdentifier) {
    switch claim {
    case .held, .failed: break
    case .found, .denied:
      held.remove(store)
      for channel in channels.indices where channels[channel].store == store {
        channels[channel].startOver()
      }
    }
  }
}
