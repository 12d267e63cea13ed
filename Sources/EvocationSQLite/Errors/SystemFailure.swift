internal import Foundation

/// What the system said to a call that failed, in words and with the mend.
struct SystemFailure: Equatable {
  let code: SQLiteError.Code
  let reason: String

  /// Whether the same call may go well when it is tried again.
  let isTransient: Bool

  private init(_ code: SQLiteError.Code, _ reason: String, isTransient: Bool = false) {
    self.code = code
    self.reason = reason
    self.isTransient = isTransient
  }

  /// Makes it of the system's number; nil for those that are told better by where they come up, such
  /// as a file that is not there, or a right that is missing.
  init?(_ number: Int32) {
    switch number {
    case ENOSPC, EDQUOT, EFBIG:
      self.init(.full, "the disk is full; free space and try again")
    case EMFILE:
      self.init(
        .cannotOpen,
        "this process has as many files open as it may have; close some, or raise its limit, and try "
          + "again", isTransient: true)
    case ENFILE:
      self.init(
        .cannotOpen, "the system has as many files open as it can have; close some and try again",
        isTransient: true)
    case EIO, ENXIO:
      self = .disk(number)
    case ENAMETOOLONG:
      self.init(.cannotOpen, "the path is too long; give a shorter one")
    case ELOOP:
      self.init(.cannotOpen, "the links of the path lead in a circle; mend them")
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

  /// Whether the system said so of a disk, which SQLite takes for damage of the file.
  static func isOfDisk(_ number: Int32) -> Bool { number == EIO || number == ENXIO }

  /// Finds out why a file could not be opened, or one beside it, as its log.
  ///
  /// SQLite tries to read what it cannot write, and then says that a file is not there which it could
  /// not make.
  static func ofOpening(_ path: String, _ number: Int32) -> SystemFailure? {
    if let known = SystemFailure(number) { return known }
    var status = stat()
    let isThere = stat(path, &status) == 0
    switch number {
    case EACCES, EPERM:
      guard isThere else { return nil }
      return SystemFailure(
        .cannotOpen, "it may not be opened; check the rights of the file and its folder")
    case ENOENT:
      let probe = "\(path).\(UUID().uuidString)"
      let descriptor = open(probe, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0o600)
      guard descriptor >= 0 else { return SystemFailure(errno) }
      close(descriptor)
      unlink(probe)
      return SystemFailure(
        .cannotOpen, "a file could not be made there, and now one can; try again", isTransient: true
      )
    default: return nil
    }
  }
}
