import Evocation
import EvocationHTTP
import EvocationSQLite
import EvocationTesting
import Foundation

/// What goes through HTTP's coders: by a repository of a service, and by a registration with an outbox.
extension TypeTrial {
  mutating func playService() async throws {
    let service = PlainService(idPath: Model.facts.idPath)
    let remote = repository(of: service)
    guard Model.facts.isOverHTTP else {
      let said = await Self.outcome { "\(try await remote.updateOne(model()))" }
      if !said.contains("CriteriaValue") { note("HTTP says of the id: \(said)") }
      return
    }
    let memory = InMemoryRepository<Model>()
    for step in 0..<12 where problems.isEmpty {
      await write(memory, remote, step: step)
      await compare(memory, remote, "After step \(step) over HTTP")
    }
    for problem in await service.problems { note(problem) }
    if problems.isEmpty { try await playOutbox(memory, remote) }
    for problem in await service.problems { note(problem) }
  }

  /// A repository of one of the ways in which services take models.
  private mutating func repository(of service: PlainService) -> HTTPRepository<Model> {
    var format = HTTPFormat.rest
    format.filters = HTTPFilters([:], filter: .brackets(), order: nil)
    format.filtersHere = true
    format.next = .never
    format.routes = .restOneByOne
    if Model.facts.idPath.isEmpty || values.bool() {
      format.routes.storeOne = .init("PUT", "{path}/{id}", onlyIfAbsent: true)
    }
    // A patch does not clear the keys of a case that a model no longer is.
    if Model.self is any CodableExample.Type || values.bool() {
      format.routes.updateOne = .init("PUT", "{path}/{id}")
      format.omitsNulls = true
      format.routes.updateOne.onlyIfPresent = true
    }
    let hasDates = values.bool()
    format.encoder = {
      let encoder = HTTPFormat.defaultEncoder()
      if hasDates { encoder.dateEncodingStrategy = .deferredToDate }
      encoder.nonConformingFloatEncodingStrategy = .convertToString(
        positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
      return encoder
    }
    format.decoder = {
      let decoder = HTTPFormat.defaultDecoder()
      if hasDates { decoder.dateDecodingStrategy = .deferredToDate }
      decoder.nonConformingFloatDecodingStrategy = .convertFromString(
        positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
      return decoder
    }
    var configuration = HTTPService.Configuration()
    configuration.transport = service
    guard let url = URL(string: "https://example.org") else { preconditionFailure("a URL is none") }
    return HTTPRepository(HTTPService(url, configuration: configuration), "models", format: format)
  }

  private mutating func write(
    _ memory: InMemoryRepository<Model>, _ remote: HTTPRepository<Model>, step: Int
  ) async {
    let (model, kind) = (model(), values.count(0...4))
    // Only what was read since an answer first lacked a key is known to have had a value.
    _ = try? await remote.find(Criteria())
    func written(_ repository: some Repository<Model>) async -> String {
      await Self.outcome {
        let answer =
          switch kind {
          case 0, 1: try await repository.storeOne(model).value
          case 2: try await repository.updateOne(model).value
          case 3: try await repository.storeOrUpdate([model]).value.first
          default: try await repository.removeOne(model).value
          }
        return Self.coded([answer].compactMap(\.self))
      }
    }
    let (expected, said) = (await written(memory), await written(remote))
    // A removal is answered with the model that was given, or with nothing.
    if kind < 4 { compare(expected, said, "Step \(step) over HTTP, call \(kind)") }
  }

  /// Compares all, and by criteria.
  private mutating func compare(
    _ memory: InMemoryRepository<Model>, _ remote: HTTPRepository<Model>, _ what: String
  ) async {
    for criteria in [Criteria(), values.condition(Model.places)] {
      compare(
        await Self.outcome { try await Self.unordered(memory.find(criteria).value) },
        await Self.outcome { try await Self.unordered(remote.find(criteria).value) },
        "\(what), \(Self.text(of: criteria))")
    }
  }

  /// Plays writes that are sent later, and compares the three sides when they are.
  private mutating func playOutbox(
    _ memory: InMemoryRepository<Model>, _ remote: HTTPRepository<Model>
  ) async throws {
    let database = try SQLiteDatabase.inMemory()
    let evocation = Evocation(
      configuration: .init(clock: ManualClock(), outbox: .init(sendsAutomatically: false)))
    if Model.facts.isInSQLite {
      let local = try SQLiteRepository<Model>(database)
      try evocation.register(Model.self, remote: remote, local: local, strategy: .offlineFirst)
    } else {
      let local = InMemoryRepository<Model>()
      try evocation.register(Model.self, remote: remote, local: local, strategy: .offlineFirst)
    }
    let all = await evocation.find(model: Model.self, rule: .remoteFirst)
    compare(
      Self.unordered(try await memory.find(Criteria()).value), Self.unordered(all.data ?? []), "All"
    )
    if let error = all.synchronizationError { note("A read is not stored: \(error)") }
    for step in 0..<10 where problems.isEmpty {
      try await queue(memory, evocation, step: step)
      if values.chance(30) { await evocation.outbox.flush() }
    }
    let flushed = await evocation.outbox.flush()
    if flushed.left + flushed.parked > 0 {
      let entries = try await evocation.outbox.entries(of: Model.self)
      note("Not all is sent: \(flushed), \(entries)")
    }
    for rule in [Strategy.Rule.remoteOnly, .localOnly] where problems.isEmpty {
      compare(
        Self.unordered(try await memory.find(Criteria()).value),
        Self.unordered(await evocation.find(model: Model.self, rule: rule).data ?? []),
        "When all is sent, \(rule.target)")
    }
  }

  private mutating func queue(
    _ memory: InMemoryRepository<Model>, _ evocation: Evocation, step: Int
  ) async throws {
    let (model, kind) = (model(), values.count(0...4))
    let (expected, result): (Model?, Evocation.Result<Model>)
    switch kind {
    case 0, 1:
      (expected, result) = (
        try? await memory.storeOne(model).value, await evocation.storeOne(model)
      )
    case 2:
      (expected, result) = (
        try await memory.updateOne(model).value, await evocation.updateOne(model)
      )
    case 3:
      expected = try await memory.storeOrUpdate([model]).value.first
      let all = await evocation.storeOrUpdate([model])
      result = .init(data: all.data?.first, origin: all.origin, error: all.error)
    default:
      (expected, result) = (
        try await memory.removeOne(model).value, await evocation.removeOne(model)
      )
    }
    let what = "Step \(step) of the outbox, call \(kind)"
    // The service may have a model that local lacks, so a removal returns what it was given.
    if kind < 4 || expected != nil {
      compare(
        Self.coded([expected].compactMap(\.self)), Self.coded([result.data].compactMap(\.self)),
        "\(what) (\(result.error.map { "\($0)" } ?? "no error"))")
    }
    if Model.facts.idPath.isEmpty { return }
    let found = try await evocation.findOne(Model.self, id: model.id, rule: .localOnly)
    // Ids of text may be equal to Swift and of other bytes.
    let there = try await memory.find(Criteria()).value.filter {
      "\($0.id)".utf8.elementsEqual("\(model.id)".utf8)
    }
    compare(Self.coded(there), Self.coded([found].compactMap(\.self)), "\(what), by its id")
  }

  /// Models as they are coded, in an order of their own: a service has its own.
  private static func unordered(_ models: [Model]) -> String {
    models.map { coded([$0]) }.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }.joined()
  }
}
