internal import Foundation

/// A failed system call in words, with how to fix it.
struct SystemFailure: Equatable {
  let code: SQLiteError.Code
  let reason: String

  /// Whether a retry may succeed.
  let isTransient: Bool

  private init(_ code: SQLiteError.Code, _ reason: String, isTransient: Bool = false) {
    self.code = code
    self.reason = reason
    self.isTransient = isTransient
  }

  /// Creates a failure from the system's error number.
  ///
  /// Nil for numbers that the caller can word better, such as a missing file or a missing
  /// permission.
  init?(_ number: Int32) {
    switch number {
    case ENOSPC, EDQUOT, EFBIG:
      self.init(.full, "the disk is full; free space and try again")
    case EMFILE:
      self.init(
        .cannotOpen,
        "this process has reached its limit of open files; close some, or raise the limit, and try "
          + "again", isTransient: true)
    case ENFILE:
      self.init(
        .cannotOpen, "the system has reached its limit of open files; close some and try again",
        isTransient: true)
    case EIO, ENXIO:
      self = .disk(number)
    case ENAMETOOLONG:
      self.init(.cannotOpen, "the path is too long; use a shorter one")
    case ELOOP:
      self.init(.cannotOpen, "the links of the path form a circle; repair them")
    default: return nil
    }
  }

  /// A file that the system failed to read or write.
  static func disk(_ number: Int32) -> SystemFailure {
    let words = number == 0 ? "" : " (\(String(cString: strerror(number))))"
    return SystemFailure(
      .diskFailed,
      "the system failed to read or write the file\(words); try again, and check the disk if it fails "
        + "again", isTransient: true)
  }

  /// Whether the number is a failure of the disk, which SQLite reports as damage of the file.
  static func isOfDisk(_ number: Int32) -> Bool { number == EIO || number == ENXIO }

  /// Finds out why a file, or the log beside it, could not be opened.
  ///
  /// SQLite opens a file only for reading if it cannot write it. It then reports a file that it
  /// could not create as missing.
  static func ofOpening(_ path: String, _ number: Int32, creates: Bool) -> SystemFailure? {
    if let known = SystemFailure(number) { return known }
    var status = stat()
    let isThere = stat(path, &status) == 0
    switch number {
    case EACCES, EPERM:
      guard isThere else { return nil }
      return SystemFailure(
        .cannotOpen,
        "the system denied access to it; check the permissions of the file and its folder")
    case ENOENT where !creates:
      guard !isThere else { return nil }
      return SystemFailure(.cannotOpen, "there is no file of this path; check the path")
    case ENOENT:
      let probe = "\(path).\(UUID().uuidString)"
      let descriptor = open(probe, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0o600)
      guard descriptor >= 0 else { return SystemFailure(errno) }
      close(descriptor)
      unlink(probe)
      return SystemFailure(
        .cannotOpen, "SQLite could not create a file there, but now it can; try again",
        isTransient: true
      )
    default: return nil
    }
  }
}
