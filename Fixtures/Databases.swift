public import Foundation

/// The bundled database files, one of each format that a release has written.
public enum Databases {
  /// The file of a format, from 1; copy it before you open it.
  public static func file(format: Int) -> URL {
    Bundle.module.bundleURL.appending(path: "databases/format-\(format).sqlite")
  }

  /// The file of format 1 with lists, a draft, entries and sign-outs; copy it before you open it.
  public static var listsOne: URL {
    Bundle.module.bundleURL.appending(path: "databases/lists-1.sqlite")
  }

  /// The SQL that makes a file as the outbox of a former format has written it.
  public static func outbox(format: Int) throws -> String {
    try String(
      contentsOf: Bundle.module.bundleURL.appending(path: "databases/outbox-\(format).sql"),
      encoding: .utf8)
  }
}
