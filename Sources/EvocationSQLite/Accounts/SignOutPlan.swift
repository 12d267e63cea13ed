internal import Evocation
internal import Foundation

/// A file's record of a sign-out that empties several files: what to delete in it, and the other
/// files.
///
/// Paths are relative to the file's own folder, because the folder around all of the files may have
/// another path after the next start.
struct SignOutPlan: Codable {
  /// How many files one sign-out can find again.
  ///
  /// Evocation ignores a plan with more.
  static let mostFiles = 64

  /// The tables of models that are emptied in this file.
  let tables: [String]
  let unsent: StoreEmptying.UnsentWrites
  /// The file that decides; nil if it is this file.
  let first: String?
  /// The other files, if this file decides.
  let others: [String]

  /// Creates the plan of the file at a path.
  init(_ emptying: StoreEmptying, at path: String) {
    tables = emptying.repositories
    unsent = emptying.unsent
    let isFirst = emptying.locations.first == path
    first = isFirst ? nil : emptying.locations.first.map { Self.relative($0, to: path) }
    others = isFirst ? emptying.locations.dropFirst().map { Self.relative($0, to: path) } : []
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

  /// Returns the absolute path of a file from its path relative to the folder of this one.
  static func absolute(_ relative: String, from own: String) -> String {
    var parts = Array(own.split(separator: "/").dropLast())
    for part in relative.split(separator: "/") {
      switch part {
      case ".": continue
      case "..": _ = parts.popLast()
      default: parts.append(part)
      }
    }
    return "/" + parts.joined(separator: "/")
  }
}
