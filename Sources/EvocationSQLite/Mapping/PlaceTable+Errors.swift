extension PlaceTable {
  /// A key that is none of the columns: one made up, and not of `allCases`.
  var unknownKey: SQLiteError {
    SQLiteError(
      .misuse,
      "Mapping \(model) to the table \(table.quoted) failed: it uses a key that is not among the "
        + "cases of its CodingKeys; use those alone.")
  }

  var incomplete: SQLiteError {
    let names = missing.map(\.name.quoted).joined(separator: ", ")
    return SQLiteError(
      .misuse,
      "Writing the table \(table.quoted) failed: \(model) did not write \(names); write each "
        + "column once, with writeIfPresent where there may be nothing.")
  }

  func twice(_ place: ColumnPlace) -> SQLiteError {
    SQLiteError(
      .misuse,
      "Writing the table \(table.quoted) failed: \(model) wrote "
        + "\(column(Int(place.position)).name.quoted) twice; write each column once.")
  }

  func misfit(_ place: ColumnPlace, _ type: Any.Type, _ isWriting: Bool) -> SQLiteError {
    let column = column(Int(place.position))
    return SQLiteError(
      .misuse,
      "\(isWriting ? "Writing" : "Reading") the table \(table.quoted) failed: the column "
        + "\(column.name.quoted) holds \(column.kind), and \(model) "
        + "\(isWriting ? "writes \(type) to" : "reads \(type) from") it; use the type that the "
        + "property has.")
  }
}
