public import Foundation

/// The bundled database files, one of each format that a release has written.
public enum Databases {
  /// The file of a format, from 2; copy it before you open it.
  public static func file(format: Int) -> URL {
    Bundle.module.bundleURL.appending(path: "databases/format-\(format).sqlite")
  }

  /// The file of format 2 with lists, entries and sign-outs; copy it before you open it.
  public static var lists: URL {
    Bundle.module.bundleURL.appending(path: "databases/lists-2.sqlite")
  }
}
