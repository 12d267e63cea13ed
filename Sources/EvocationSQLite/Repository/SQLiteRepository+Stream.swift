public import Evocation

extension SQLiteRepository {
  /// Gives the models that match one after the other, without holding all of them in memory.
  ///
  /// ```swift
  /// for try await car in cars.stream(Criteria().sorted(by: "year")) {
  ///   print(car.year)
  /// }
  /// ```
  ///
  /// All of them are of one state of the database, that of the first read, and in the order of
  /// ``find(_:)``. A stream reads on a connection of its own, so that it keeps nobody waiting; while
  /// it is read, what is written stays in the log beside the file, which grows as long. It ends,
  /// and its connection is closed, when all is read, when an error is thrown, when the task is
  /// cancelled, and when its iterator is let go. ``SQLiteDatabase/close()`` ends it too: it gives what
  /// it has read already, and then throws ``SQLiteError`` with the code `closed`.
  ///
  /// A database in memory has no second connection: the models that match are copied at the first
  /// read.
  ///
  /// - Parameter criteria: Which models, and in which order; all of them by default.
  /// - Returns: A sequence that reads anew for each loop over it. It throws what ``find(_:)`` throws.
  public func stream(_ criteria: Criteria = Criteria()) -> ModelStream<Model> {
    ModelStream(database: database, table: table, criteria: criteria)
  }
}
