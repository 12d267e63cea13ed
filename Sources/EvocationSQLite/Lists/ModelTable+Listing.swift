internal import Evocation

extension ModelTable {
  /// Adds or changes the models of a page apart from those to be kept, and gives those to be listed:
  /// of the kept ones, those that are there.
  func put(
    _ models: [Model], keeping kept: Set<ModelID>, _ connection: Connection, tellingApart: Bool
  ) throws -> (listed: [Model], changes: TableChanges<Model>) {
    guard !kept.isEmpty else {
      return (models, try put(models, connection, tellingApart: tellingApart))
    }
    let written = models.filter { !kept.contains(id($0)) }
    let changes = try put(written, connection, tellingApart: tellingApart)
    let finder = try finder(connection)
    let listed = try models.filter { try !kept.contains(id($0)) || finder.held($0) != nil }
    return (listed, changes)
  }
}
