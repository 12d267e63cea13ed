// The SDK documents its names.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

@_exported import Glibc

extension stat {
  public var st_mtimespec: timespec { st_mtim }
}

public func sysctlbyname(
  _ name: UnsafePointer<CChar>?, _ old: UnsafeMutableRawPointer?,
  _ oldSize: UnsafeMutablePointer<Int>?, _ new: UnsafeMutableRawPointer?, _ newSize: Int
) -> Int32 { -1 }

public func clock_gettime_nsec_np(_ clock: clockid_t) -> UInt64 { 0 }
