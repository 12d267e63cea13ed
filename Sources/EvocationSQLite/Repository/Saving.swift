internal import Evocation

/// Models to be added or changed, and what is to be removed because it is not among them.
struct Saving<Model: Codable & Identifiable & Sendable>: Sendable {
  private let models: [Model]
  private let answered: Set<ModelID>
  private let kept: Set<ModelID>
  private let everything: SQLQuery?
  private let limit: Int?

  /// Prepares it: with a limit, only what stands within the answered page is removed; with an offset
  /// nothing is, because what stands before the page is not known.
  init(
    _ models: [Model], mirroring criteria: Criteria?, keeping kept: [Model] = [],
    _ table: ModelTable<Model>
  ) throws {
    self.models = table.lastOfEach(models)
    var resolved = try criteria?.resolved(against: table.plan.schema)
    resolved?.limit = nil
    let query = try resolved.map(table.selection.query)
    everything = criteria?.offset == 0 ? query : nil
    self.kept = Set(kept.map(table.id))
    answered = everything == nil ? [] : Set(self.models.map(table.id))
    limit = criteria?.limit.map { max(0, $0) }
  }

  /// Does it in the connection's transaction.
  func run(
    _ table: ModelTable<Model>, _ connection: Connection, tellingApart: Bool
  ) throws -> TableChanges<Model> {
    var changes = try table.put(models, connection, tellingApart: tellingApart)
    guard let everything else { return changes }
    let surplus = try table.surplus(everything, answered, keeping: kept, limit, connection)
    changes.removed = try table.removeAll(surplus, connection)
    return changes
  }
}
