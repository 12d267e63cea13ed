import Foundation

extension Outbox: OutboxSender {
  package func updateWiring<Model: Sendable>(of proxy: Proxy<Model>) {
    let type = ObjectIdentifier(Model.self)
    let dependencies = state.withLock { state in
      state.dependencies.filter { $0.type == type || $0.other == type }
    }
    for dependency in dependencies { dependency.join() }
    rewire(proxy)
    for channel in channels { channel.rewire() }
  }

  /// Takes over a proxy's repositories and strategy as they are now.
  func rewire<Model: Sendable>(_ proxy: Proxy<Model>) {
    let wiring = proxy.wiring
    let type = ObjectIdentifier(Model.self)
    let (store, service) = (wiring.binding.outbox?.storeIdentity, ModelChannel.service(of: proxy))
    let (isKnown, closed) = state.withLock { state -> (Bool, OutboxParts.Registered?) in
      guard let index = state.channels.firstIndex(where: { $0.type == type }) else {
        return (false, nil)
      }
      let channel = state.channels[index].channel as? ModelChannel<Model>
      if let channel, channel.proxy === proxy, channel.store == store,
        channel.hasRemote == wiring.hasRemote, channel.service == service
      {
        return (true, nil)
      }
      return (false, state.channels.remove(at: index))
    }
    if let closed { close(closed) }
    if !isKnown, let repository = wiring.binding.outbox {
      let channel = ModelChannel(proxy, repository, outbox: self)
      state.withLock { $0.channels.append(OutboxParts.Registered(type: type, channel: channel)) }
    }
    if wiring.mayHaveUnsent, wiring.hasRemote { open(type) }
    if !isKnown { changes.tell() }
  }

  /// Begins to send the queue of a model type.
  private func open(_ type: ObjectIdentifier) {
    let channel = state.withLock { state -> (any OutboxChannel)? in
      guard let index = state.channels.firstIndex(where: { $0.type == type }),
        !state.channels[index].isOpen
      else { return nil }
      state.channels[index].isOpen = true
      return state.channels[index].channel
    }
    guard let channel else { return }
    let store = channel.store
    let service = channel.service
    let observations = [
      channel.observeQueue { [weak self] in self?.recordTouch(of: store) },
      channel.observeCredential { [weak self] in self?.handle(.authorized(service: service)) },
    ]
    state.withLock { state in
      let index = state.channels.firstIndex { $0.channel === channel }
      if let index { state.channels[index].observations = observations }
    }
    followConnectivity()
    handle(.opened(store, queue: channel.queue, service: channel.service))
  }

  private func close(_ registered: OutboxParts.Registered) {
    let channel = registered.channel
    if registered.isOpen { handle(.closed(channel.store, queue: channel.queue)) }
  }

  /// Begins to send the queues of all model types, whatever their strategies.
  package func openAll() {
    let types = state.withLock { state in
      state.channels.filter { !$0.isOpen && $0.channel.hasRemote }.map(\.type)
    }
    for type in types { open(type) }
  }

  /// Stops sending the entries of a model type that is no longer registered.
  package func forget(_ type: ObjectIdentifier) {
    let removed = state.withLock { state -> OutboxParts.Registered? in
      guard let index = state.channels.firstIndex(where: { $0.type == type }) else { return nil }
      return state.channels.remove(at: index)
    }
    if let removed { close(removed) }
  }

  package func recordQueued<Model: Sendable>(
    _ write: QueuedWrite<Model>, _ kind: String, in proxy: Proxy<Model>
  ) {
    guard write.isPending, listeners.isObserved else { return }
    let ids = ModelID.all(of: write.models) ?? []
    for (index, id) in ids.enumerated() {
      let entry = ids.count == write.entries.count ? write.entries[index].id : ""
      tell(
        .queued(
          Subject(model: proxy.model, modelID: id.description, entry: entry, reason: kind)))
    }
  }

  /// Begins to observe connectivity, once there is something to send or to keep up to date.
  package func followConnectivity() {
    guard let connectivity = configuration.connectivity else { return }
    state.withLock { state in
      guard state.connection == nil else { return }
      state.connection = Task { [weak self] in
        let changes = connectivity.changes()
        self?.handleConnection(connectivity.isOnline)
        for await isOnline in changes {
          guard let self else { return }
          self.handleConnection(isOnline)
        }
      }
    }
  }

  private func handleConnection(_ isOnline: Bool) {
    handle(.connection(isOnline: isOnline))
    environment.presenceChanges.tell()
  }

  /// Validates observed caches, after it has sent what is unsent.
  package func validateObserved() {
    let sends = state.withLock { $0.channels.contains(where: \.isOpen) }
    WriteScope.apart {
      _ = Task {
        if sends { _ = await self.flush(deadline: .seconds(10)) }
        await self.registry.validate()
      }
    }
  }
}
