/// The SQL that creates a table, of which one column gets another type.
///
/// Everything else stays as it was written: constraints, defaults, generated columns and comments. The
/// grammar is SQLite's, <https://sqlite.org/lang_createtable.html>.
struct TableText {
  /// The definitions between the parentheses, as they are written.
  private var definitions: [Substring]
  /// What stands behind them, such as `WITHOUT ROWID`.
  private var options: Substring

  /// Creates it from the text in `sqlite_schema`; nil for a table that is no list of columns.
  init?(_ sql: String) {
    var (depth, starts, ends) = (0, [String.Index](), [String.Index]())
    var end: String.Index?
    for token in SQLTokens(sql) where end == nil {
      switch sql[token] {
      case "(":
        depth += 1
        if depth == 1 { starts.append(token.upperBound) }
      case ")":
        depth -= 1
        if depth == 0 { (end, ends) = (token.upperBound, ends + [token.lowerBound]) }
      case ",":
        guard depth == 1 else { continue }
        ends.append(token.lowerBound)
        starts.append(token.upperBound)
      default: continue
      }
    }
    guard let end, starts.count == ends.count else { return nil }
    definitions = zip(starts, ends).map { sql[$0..<$1] }
    options = sql[end...]
  }

  /// Changes the type of a column, and returns whether there is one of this name.
  mutating func retype(_ column: String, to type: String) -> Bool {
    for (index, definition) in definitions.enumerated() {
      let tokens = Array(SQLTokens(definition))
      guard let name = tokens.first,
        definition[name].unquoted.lowercased() == column.lowercased()
      else { continue }
      let rest = tokens.dropFirst().drop { !Self.begins(definition[$0]) }
      let kept = rest.filter {
        type == "INTEGER" || definition[$0].lowercased() != "autoincrement"
      }
      let words = kept.map { String(definition[$0]) }
      definitions[index] = Substring(
        ([String(definition[name]), type] + words).joined(separator: " "))
      return true
    }
    return false
  }

  /// Lets an integer key be the number by which SQLite finds a row.
  mutating func addRowID() {
    let words = SQLTokens(options).map { String(options[$0]) }
    let kept = words.indices.filter { index in
      !["without", "rowid", ","].contains(words[index].lowercased())
    }
    options = Substring(kept.map { words[$0] }.joined(separator: ", "))
  }

  /// Returns the SQL that creates the table under a name.
  func sql(_ name: String) -> String {
    "CREATE TABLE \(name.quoted) (\(definitions.joined(separator: ",")))"
      + (options.isEmpty ? "" : " \(options)")
  }

  /// Whether a word begins a column's constraint, and is no part of its type.
  private static func begins(_ word: Substring) -> Bool {
    [
      "constraint", "primary", "not", "null", "unique", "check", "default", "collate",
      "references", "generated", "as",
    ].contains(word.lowercased())
  }
}

/// The tokens of SQL without white space and comments; a string and a quoted name are one each.
///
/// It reads scalars and no characters, because an accent behind a quote would be part of it.
private struct SQLTokens: Sequence, IteratorProtocol {
  private let sql: Substring.UnicodeScalarView
  private var index: String.Index

  init(_ sql: some StringProtocol) {
    self.sql = Substring(sql).unicodeScalars
    index = self.sql.startIndex
  }

  mutating func next() -> Range<String.Index>? {
    skipBlanks()
    guard index < sql.endIndex else { return nil }
    let start = index
    let first = sql[start]
    advance()
    if let end = Self.ends[first] {
      skipQuoted(to: end)
    } else if first.isWordPart {
      while index < sql.endIndex, sql[index].isWordPart { advance() }
    }
    return start..<index
  }

  private static let ends: [Unicode.Scalar: Unicode.Scalar] = [
    "\"": "\"", "'": "'", "`": "`", "[": "]",
  ]

  private mutating func advance() { index = sql.index(after: index) }

  private mutating func skipQuoted(to end: Unicode.Scalar) {
    while index < sql.endIndex {
      let isEnd = sql[index] == end
      advance()
      guard isEnd else { continue }
      // A doubled quote is one of the text.
      guard end != "]", index < sql.endIndex, sql[index] == end else { return }
      advance()
    }
  }

  private mutating func skipBlanks() {
    while index < sql.endIndex {
      if sql[index].properties.isWhitespace {
        advance()
      } else if sql[index...].starts(with: "--".unicodeScalars) {
        while index < sql.endIndex, sql[index] != "\n" { advance() }
      } else if sql[index...].starts(with: "/*".unicodeScalars) {
        while index < sql.endIndex, !sql[index...].starts(with: "*/".unicodeScalars) { advance() }
        for _ in 0..<2 where index < sql.endIndex { advance() }
      } else {
        return
      }
    }
  }
}

extension Unicode.Scalar {
  /// Whether it is part of a name without quotes, or of a number.
  fileprivate var isWordPart: Bool {
    properties.isAlphabetic || properties.numericType != nil || value > 127
      || ["_", "$", "."].contains(self)
  }
}

extension Substring {
  /// A name without its quotes.
  fileprivate var unquoted: String {
    guard let first, let last, count > 1, ["\"\"", "``", "[]", "''"].contains("\(first)\(last)")
    else { return String(self) }
    let text = String(dropFirst().dropLast())
    return first == "[" ? text : text.replacing("\(first)\(first)", with: "\(first)")
  }
}
