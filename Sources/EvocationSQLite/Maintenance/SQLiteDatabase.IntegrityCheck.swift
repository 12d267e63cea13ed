extension SQLiteDatabase {
  /// How closely a database is looked at.
  public enum IntegrityCheck: String, Sendable, Hashable, Codable, CaseIterable {
    /// Every page, and the form of every row.
    case quick
    /// The same, and whether every index has what its table has; it may take several times as long.
    case full
  }
}
