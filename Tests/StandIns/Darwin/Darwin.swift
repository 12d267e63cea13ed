// The SDK documents its names.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

@_exported import Glibc

extension stat {
  public var st_mtimespec: timespec { st_mtim }
}
