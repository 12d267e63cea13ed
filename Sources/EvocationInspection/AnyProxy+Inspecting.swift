internal import Evocation
internal import Foundation

// What an inspection needs of a proxy.
extension AnyProxy {
  /// The name of the server, and that by which the outbox knows it; nil without a remote
  /// repository.
  var service: (name: String, key: String)? {
    typed.wiring.remote.map { remote in
      let name = (remote as? any SharedService)?.service ?? "the remote of \(model)"
      return (name, ModelChannel.service(of: typed))
    }
  }

  /// The limits of the requests to the server; nil for a repository that has none.
  var gate: Inspection.Gate? {
    (typed.wiring.remote as? any InspectedRemote).map { .init($0.gateState) }
  }

  private var inspectedLocal: (any InspectedLocal)? { typed.wiring.local as? any InspectedLocal }

  /// Returns the database of the local repository; nil if it has none, or cannot be read.
  func inspectedFile() async -> Inspection.File? {
    (try? await inspectedLocal?.databaseState).map { .init($0) }
  }

  /// Returns the records of the fetches, by their tags.
  func recordedFetches() async -> FetchRecords {
    let fetches = typed.knownFetches(typed.wiring.binding)
    await fetches.registry.check(typed.environment.clocks)
    return await fetches.records.filter { !$0.record.source.beginsWithBytes(of: LiveStatus.source) }
  }

  /// Returns the model type, with the criteria of the caches whose plans it is to have.
  func inspected(_ cached: [Criteria], showsValues: Bool) async -> Inspection.Model {
    let wiring = typed.wiring
    let recent = typed.environment.recent.calls(of: model)
    let (warnings, problem) = validity(showsValues)
    return Inspection.Model(
      name: model, strategy: wiring.strategy, hasStrategy: wiring.hasStrategy, warnings: warnings,
      problem: problem,
      remote: wiring.remote.map { .init(type: "\(type(of: $0))", name: service?.name) },
      local: await place(of: wiring.local),
      isLive: wiring.live == nil ? nil : wiring.binding.live.since != nil,
      count: await count(wiring.local),
      writes: line.placeCount, calls: recent.map { .init($0, showsValues: showsValues) },
      queries: await queries(recent.compactMap(\.criteria) + cached, showsValues),
      values: showsValues ? await values(wiring.local) : nil)
  }

  private func validity(_ showsValues: Bool) -> (warnings: [String], problem: String?) {
    do {
      return (try typed.validate(), nil)
    } catch {
      return ([], LogText.of(error, showsValues: showsValues))
    }
  }

  private func place(of local: (any Repository<Model>)?) async -> Inspection.Place? {
    guard let local else { return nil }
    return .init(type: "\(type(of: local))", name: await inspectedFile()?.path)
  }

  /// Counts the models, if that reads none of them.
  private func count(_ local: (any Repository<Model>)?) async -> Int? {
    guard let local, local is any InspectedLocal else { return nil }
    return try? await local.count(Criteria())
  }

  private func values(_ local: (any Repository<Model>)?) async -> [String]? {
    guard Model.self is any Encodable.Type else { return nil }
    let models = try? await local?.find(Criteria().limit(20)).value
    return models?.compactMap { InspectedValue.json(of: $0) }
  }

  /// Returns the plans of up to ten different queries, the latest first.
  private func queries(_ asked: [Criteria], _ showsValues: Bool) async -> [Inspection.Query] {
    guard let local = inspectedLocal else { return [] }
    var (queries, seen) = ([Inspection.Query](), Set<String?>())
    for criteria in asked where queries.count < 10 {
      let text = LogText.of(criteria, showsValues: showsValues)
      guard seen.insert(text).inserted, let plan = try? await local.plan(for: criteria) else {
        continue
      }
      queries.append(
        .init(
          criteria: text, plan: plan,
          isScan: criteria.predicate != nil && plan.contains(where: \.isScan)))
    }
    return queries
  }
}

extension Inspection.Call {
  init(_ recent: RecentCalls.Recent, showsValues: Bool) {
    let call = recent.call(showsValues)
    self.init(
      endedAt: recent.endedAt, seconds: call.duration.seconds,
      trace: .init(model: call.model, call: call.name, steps: call.steps),
      criteria: call.criteria, origin: call.origin, error: call.error, isPending: call.isPending)
  }
}

extension String {
  /// Whether a step of SQLite's plan reads a whole table; a full-text index is no such table.
  fileprivate var isScan: Bool {
    hasPrefix("SCAN ") && !contains(" VIRTUAL TABLE INDEX ")
  }
}
