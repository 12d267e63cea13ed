internal import Evocation
internal import Foundation

/// What a file says of a sign-out that empties several: what is deleted in it, and which the others are.
///
/// Paths begin at the file's own folder, because the folder around all of them may have another path
/// after the next start.
struct SignOutPlan: Codable {
  /// How many files one sign-out finds again; a plan that names more is not believed.
  static let mostFiles = 64

  /// The tables of models that are emptied in this file.
  let tables: [String]
  let unsent: StoreEmptying.UnsentWrites
  /// The file that decides; nil where it is this one.
  let first: String?
  /// The other files, where this one decides.
  let others: [String]

  /// Makes the plan of the file at a path.
  init(_ emptying: StoreEmptying, at path: String) {
    tables = emptying.repositories
    unsent = emptying.unsent
    let isFirst = emptying.locations.first == path
    first = isFirst ? nil : emptying.locations.first.map { Self.relative($0, to: path) }
    others = isFirst ? emptying.locations.dropFirst().map { Self.relative($0, to: path) } : []
  }

  /// The way to a file from the folder of another one; both paths begin at the root.
  static func relative(_ path: String, to own: String) -> String {
    let (path, own) = (path.split(separator: "/"), own.split(separator: "/").dropLast())
    let common = zip(path, own).prefix { $0 == $1 }.count
    let up = own.dropFirst(common).map { _ in ".."[...] }
    return (up + path.dropFirst(common)).joined(separator: "/")
  }

  /// The path of a file that is named by the way from the folder of this one.
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
