public import Evocation
internal import Foundation

extension Evocation {
  /// Returns everything that this instance knows about itself now.
  ///
  /// ```swift
  /// let inspection = await evocation.inspection()
  /// let json = try JSONEncoder().encode(inspection)
  /// ```
  ///
  /// The first inspection begins to keep the last 20 calls of each model type, so make one when
  /// your app starts if you want to see its first calls later. An inspection reads the local
  /// stores: it counts the models, and plans up to ten queries of each type. It asks no server.
  /// What cannot be read is left out. It runs beside calls, and you can make it from any thread: the
  /// main thread does none of the work.
  ///
  /// - Parameter revealing: Whether to have values of models, criteria and errors too, such as for
  ///   a person who debugs with data of their own.
  /// - Returns: The inspection.
  @concurrent public func inspection(revealing: Bool = false) async -> Inspection {
    environment.recent.begin()
    let proxies = registry.all.sorted {
      ($0.model, $0.tagPrefix) < ($1.model, $1.tagPrefix)
    }
    let takenAt = environment.date()
    let caches = await inspectedCaches(of: proxies, revealing)
    var models: [Inspection.Model] = []
    for proxy in proxies {
      let cached = caches.criteria[proxy.tagPrefix] ?? []
      models.append(await proxy.inspected(cached, showsValues: revealing))
    }
    return Inspection(
      takenAt: takenAt, isRevealing: revealing, isOnline: outbox.isOnline, models: models,
      caches: caches.all.filter { $0.pages == nil }, lists: caches.all.filter { $0.pages != nil },
      outbox: await outbox.inspected(showsValues: revealing),
      services: inspectedServices(of: proxies, takenAt), files: await inspectedFiles(of: proxies))
  }

  /// Returns a sequence of inspections: one now, and later ones that differ from the one before.
  ///
  /// It looks once in an interval, and only while a reader waits for the next inspection, so a slow
  /// reader gets the latest one and no others. It never ends, unless its task is canceled.
  ///
  /// - Parameters:
  ///   - revealing: As for ``inspection(revealing:)``.
  ///   - interval: How long to wait between two looks, by the configuration's clock.
  /// - Returns: The sequence.
  public func inspections(
    revealing: Bool = false, every interval: Duration = .seconds(1)
  ) -> some AsyncSequence<Inspection, Never> & Sendable {
    Inspections(evocation: self, isRevealing: revealing, interval: interval)
  }

  /// Declares a cache of an inspection stale; Evocation fetches it again if it is observed.
  ///
  /// - Throws: The errors of the ledger's storage.
  public func invalidate(_ cache: Inspection.Cache) async throws {
    let proxies = registry.all
    for entry in environment.caches(of: proxies)
    where Inspection.Cache.id(of: entry.tag) == cache.id {
      try await entry.invalidate()
    }
    for proxy in proxies {
      for (tag, _) in await proxy.recordedFetches() where Inspection.Cache.id(of: tag) == cache.id {
        try await proxy.ledger.invalidate(prefix: tag)
      }
    }
  }
}

// The parts of an inspection.
extension Evocation {
  /// How many stored caches of each model type an inspection has.
  private static var mostStored: Int { 50 }

  /// Returns the caches and lists, and the criteria of each model type's by the beginning of its
  /// tags.
  private func inspectedCaches(
    of proxies: [any AnyProxy], _ showsValues: Bool
  ) async -> (all: [Inspection.Cache], criteria: [String: [Criteria]]) {
    var all: [Inspection.Cache] = []
    for entry in environment.caches(of: proxies) {
      guard var cache = Inspection.Cache(entry, showsValues: showsValues) else { continue }
      cache.takeName(of: proxies.first { entry.tag.beginsWithBytes(of: $0.tagPrefix) })
      all.append(cache)
    }
    var (inUse, criteria) = (Set(all.map(\.id)), [String: [Criteria]]())
    for proxy in proxies {
      let records = await proxy.recordedFetches().sorted {
        $0.record.fetchedAt > $1.record.fetchedAt
      }
      criteria[proxy.tagPrefix] = records.prefix(10).compactMap { _, record in
        record.requirements.flatMap { try? JSONDecoder().decode(Criteria.self, from: $0) }
      }
      for (tag, record) in records.prefix(Self.mostStored) {
        guard var cache = Inspection.Cache(tag: tag, record, showsValues: showsValues),
          inUse.insert(cache.id).inserted
        else { continue }
        cache.takeName(of: proxy)
        all.append(cache)
      }
    }
    return (all, criteria)
  }

  private func inspectedServices(
    of proxies: [any AnyProxy], _ date: Date
  ) -> [Inspection.Service] {
    var services: [String: Inspection.Service] = [:]
    for proxy in proxies {
      guard let (name, key) = proxy.service else { continue }
      var service = services[name] ?? outbox.inspected(key, named: name, date: date)
      service.models.append(proxy.model)
      service.gate = service.gate ?? proxy.gate
      services[name] = service
    }
    return services.values.sorted { $0.name < $1.name }
  }

  private func inspectedFiles(of proxies: [any AnyProxy]) async -> [Inspection.File] {
    var files: [String: Inspection.File] = [:]
    for proxy in proxies {
      guard let found = await proxy.inspectedFile() else { continue }
      var file = files[found.path] ?? found
      file.models.append(proxy.model)
      files[found.path] = file
    }
    return files.values.sorted { $0.path < $1.path }
  }
}

/// The inspections of an instance: one now, and then those that differ from the one before.
private struct Inspections: AsyncSequence, Sendable {
  typealias Failure = Never

  let evocation: Evocation
  let isRevealing: Bool
  let interval: Duration

  func makeAsyncIterator() -> Iterator { Iterator(sequence: self) }

  /// Returns an inspection; nil if nothing has changed since the last one.
  @concurrent func inspection(after last: Inspection?) async -> Inspection? {
    let inspection = await evocation.inspection(revealing: isRevealing)
    return inspection.differs(from: last) ? inspection : nil
  }

  struct Iterator: AsyncIteratorProtocol {
    let sequence: Inspections
    @SharedByCopies private var last: Inspection? = nil

    init(sequence: Inspections) {
      self.sequence = sequence
    }

    mutating func next(isolation actor: isolated (any Actor)? = #isolation) async -> Inspection? {
      while !Task.isCancelled {
        if last != nil {
          let time = sequence.evocation.environment.time
          guard (try? await time.sleep(sequence.interval)) != nil else { return nil }
        }
        guard let inspection = await sequence.inspection(after: last) else { continue }
        last = inspection
        return inspection
      }
      return nil
    }
  }
}

extension Inspection.Cache {
  /// Takes over the model type's name, in place of its name with the module.
  fileprivate mutating func takeName(of proxy: (any AnyProxy)?) {
    guard let proxy else { return }
    model = proxy.model
    name.replace(String(proxy.tagPrefix.dropLast()), with: proxy.model, maxReplacements: 1)
  }
}

extension Inspection {
  /// Whether anything but the date is different.
  fileprivate func differs(from other: Inspection?) -> Bool {
    guard var other else { return true }
    other.takenAt = takenAt
    return self != other
  }
}
