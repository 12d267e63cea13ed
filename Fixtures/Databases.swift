public import Foundation

/// The bundled database files, one of each format that a release has written.
public enum Databases {
  /// The file of a format, from 1; copy it before you open it.
  public static func file(format: Int) -> URL {
    Bundle.module.bundleURL.appending(path: "databases/format-\(format).sqlite")
  }
}
