/// Which store a local repository stands for, for as long as this process knows it.
enum StoreID: Sendable, Hashable {
  /// One with a name.
  case named(ByteText)
  /// One without a name, which is the same as long as it is the same object.
  case object(ObjectIdentifier)
}
