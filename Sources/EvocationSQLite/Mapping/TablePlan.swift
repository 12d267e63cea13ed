internal import Evocation

/// One column of a model's table; it has JSON unless the property is a single value.
typealias Column = ModelSchema.Property

/// The layout of a model type's table: derived from the type once, and shared by all statements.
struct TablePlan: Sendable {
  let schema: ModelSchema
  let table: String
  /// The positions of the key's columns.
  let key: [Int]
  /// Whether the type is an ``SQLiteModel``.
  let isDeclared: Bool
  /// The index that finds words in the rows; nil if none is declared.
  private(set) var fullText: FullTextIndex?
  /// The keys whose ranges a declared index finds.
  private(set) var indexedKeys: Set<String> = []

  /// One for each property.
  var columns: [Column] { schema.properties }

  /// The names of the columns in quotes.
  let names: [String]

  /// All columns, in the plan's order.
  let columnList: String

  var model: String { schema.model }

  /// The name of the key's first column, which is the only one of most tables.
  var keyName: String { columns[key[0]].name }

  /// Whether the key is also the number by which SQLite finds a row.
  var hasNumbers: Bool {
    key.count == 1 && columns[key[0]].kind.scalar?.columnType == "INTEGER"
  }

  /// Creates the plan from a type's schema.
  ///
  /// - Throws: ``EvocationError`` or ``SQLiteError`` if the type cannot be a table.
  init(
    schema: ModelSchema, table: String?, key: [Criteria.Key], isDeclared: Bool = false
  ) throws {
    self.schema = schema
    names = schema.properties.map(\.name.quoted)
    columnList = names.joined(separator: ", ")
    self.isDeclared = isDeclared
    self.table = table ?? Self.defaultName(schema.model)
    self.key = try Self.positions(of: key, schema)
    try checkNames()
  }

  /// Returns the plan with what finding models has to know of these indexes.
  ///
  /// - Throws: ``EvocationError`` if there is more than one, or if it does not fit the type.
  func indexed(by indexes: [SQLiteIndex]) throws -> TablePlan {
    var plan = self
    plan.fullText = try FullTextIndex.declared(in: indexes, self)
    let plain = indexes.filter { !$0.isFullText && !$0.folded }
    plan.indexedKeys = Set(plain.compactMap(\.keys.first?.name))
    return plan
  }

  /// Returns the layout of a statement with the columns at these positions.
  func layout(of positions: [Int]) -> ModelLayout {
    ModelLayout(columns.map { ($0.name, $0.kind.scalar) }, positions: positions)
  }

  /// Returns the type's name without enclosing types, with a lowercase first letter.
  static func defaultName(_ model: String) -> String {
    let name = model.split(separator: ".").last.map(String.init) ?? model
    return name.prefix(1).lowercased() + name.dropFirst()
  }

  /// Returns the key under which a type encodes its ids.
  static func defaultKey<Model: Decodable>(of type: Model.Type) -> [Criteria.Key] {
    [Criteria.Key((try? ModelSchema.of(type))?.identifier ?? "id")]
  }

  private static func positions(of key: [Criteria.Key], _ schema: ModelSchema) throws -> [Int] {
    guard !key.isEmpty else {
      throw EvocationError.unmappable(
        model: schema.model, property: "", reason: "its key names no property")
    }
    return try key.map { key in
      let position = schema.properties.firstIndex { $0.name == key.name }
      guard let position else {
        throw EvocationError.unmappable(
          model: schema.model, property: key.name,
          reason:
            "it has no such coding key for the table's key; name the properties that form its "
            + "id with key:")
      }
      let property = schema.properties[position]
      guard !property.isOptional, property.kind.scalar != nil else {
        throw EvocationError.unmappable(
          model: schema.model, property: key.name,
          reason:
            "\(property.isOptional ? "a value that may be absent" : property.kind.description)"
            + " cannot be the table's key")
      }
      return position
    }
  }

  private func checkNames() throws {
    guard !table.isEmpty, !table.utf8.contains(0), !table.lowercased().hasPrefix("sqlite_"),
      !table.lowercased().hasPrefix("evocation_")
    else {
      throw SQLiteError(
        .misuse,
        "Making the table of \(model) failed: \(table.quoted) cannot be the name of a table; use "
          + "another with table:.")
    }
    var seen: Set<String> = []
    for column in columns {
      guard !column.name.utf8.contains(0), !column.name.isEmpty,
        seen.insert(column.name.lowercased()).inserted
      else {
        throw EvocationError.unmappable(
          model: model, property: column.name,
          reason: "its coding key is empty, holds a NUL, or differs from another in case only, and "
            + "cannot be the name of a column")
      }
    }
  }
}
