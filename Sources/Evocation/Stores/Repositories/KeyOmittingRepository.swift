/// A remote repository that leaves properties out of what it sends.
package protocol KeyOmittingRepository: Sendable {
  /// Leaves these coding keys out from now on, also those of earlier calls.
  func omit(_ keys: Set<String>)
}
