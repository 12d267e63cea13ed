internal import Evocation

/// What a sign-out of several files is about to do: a file has it from before it is emptied.
///
/// Paths are relative to the file's own folder, because the folder around all of the files may have
/// another path after the next start.
struct SignOutIntent: Codable {
  struct Fellow: Codable {
    let path: String
    let tables: [String]
  }

  /// The tables of models that are emptied in this file.
  let tables: [String]
  let unsent: StoreEmptying.UnsentWrites
  /// The other files, and their tables.
  var fellows: [Fellow]?

  init(tables: [String], unsent: StoreEmptying.UnsentWrites) {
    (self.tables, self.unsent) = (tables, unsent)
  }

  /// Creates the intent of the file at a path.
  init(_ emptying: StoreEmptying, at path: String) {
    tables = emptying.repositories
    unsent = emptying.unsent
    fellows = emptying.fellows.map { fellow in
      Fellow(path: Self.relative(fellow.location, to: path), tables: fellow.repositories)
    }
  }

  /// Returns the relative path to a file from the folder of another one.
  ///
  /// Both paths are absolute.
  static func relative(_ path: String, to own: String) -> String {
    let (path, own) = (path.split(separator: "/"), own.split(separator: "/").dropLast())
    let common = zip(path, own).prefix { $0 == $1 }.count
    let up = own.dropFirst(common).map { _ in ".."[...] }
    return (up + path.dropFirst(common)).joined(separator: "/")
  }
}
