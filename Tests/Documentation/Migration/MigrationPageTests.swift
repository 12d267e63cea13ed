import Testing

@Suite struct MigrationPageTests {
  /// Names in the right-hand column that are an app's own.
  private static let ownNames: Set = [
    "settings", "Note", "folder", "garden", "home", "station", "server", "former", "Car",
    "members", "token", "reason", "date", "transform", "1800", "3600", "5",
  ]

  /// Names in the right-hand column that stand in no source file.
  private static let productNames: Set = ["EvocationHTTP", "EvocationSQLite", "EvocationTesting"]

  @Test(arguments: FormerLibrary.all)
  func `every public name of a former library is in the table of its page`(
    library: FormerLibrary
  ) throws {
    let table = try MigrationTable(page: library.page)
    let missing = library.names.filter { !table.formerNames.contains($0) }
    #expect(missing == [], "These names have no row in \(library.page).")
  }

  @Test(arguments: FormerLibrary.all)
  func `what is to be written now is there to be written`(library: FormerLibrary) throws {
    let table = try MigrationTable(page: library.page)
    let known = try MigrationTable.words(inFolder: "Sources")
      .union(Self.ownNames).union(Self.productNames)
    #expect(table.presentNames.subtracting(known).sorted() == [])
  }
}
