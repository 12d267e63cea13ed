public import Evocation

extension SQLiteAccess {
  /// Changes the ids of a model's rows to another type, with everything in the file that names them.
  ///
  /// These are columns with a foreign key to the table, the named ones, lists, and unsent writes. The table
  /// and those columns get the type of the new ids. A full-text index is made when the repository is.
  ///
  /// - Parameters:
  ///   - table: The name of the table, whose key is one column.
  ///   - type: The type of the new ids.
  ///   - references: Columns that have ids of the table without a foreign key, each after its table.
  ///   - id: Returns the new id for the text of an old one; nil if there is none. Evocation calls it once
  ///     for each old id, also of models that were removed, and never for null.
  /// - Throws: ``SQLiteError``, with the code `constraint` if two ids become the same, and with `misuse` if
  ///   there is no new id, no such table or column, or a key of several columns; what `id` throws.
  public borrowing func changeIDs<ID: CriteriaValue & Codable>(
    of table: String, to type: ID.Type, references: KeyValuePairs<String, String> = [:],
    _ id: (String) throws -> ID?
  ) throws {
    guard let kind = ScalarKind.of(type) else {
      throw SQLiteError(
        .misuse,
        "Changing the ids of the table \(table.quoted) failed: \(type) is no single value; pass the "
          + "type of one, such as UUID.")
    }
    let places = references.map { Rekeying.Place(table: $0.key, column: $0.value) }
    let connection = connection
    try withoutActuallyEscaping(id) { id in
      try Rekeying(table: table, kind: kind, references: places, connection: connection) { text in
        try id(text).map { id in
          let value = id.criteriaValue
          return Rekeying.NewID(
            stored: SQLValue(value), json: [UInt8](try ModelJSON.data(id)),
            key: ModelID([value]).key.text)
        }
      }.run()
    }
  }
}
