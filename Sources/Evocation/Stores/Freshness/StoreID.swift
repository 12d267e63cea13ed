/// The identity of a local repository's store, for as long as this process knows it.
package enum StoreID: Sendable, Hashable {
  /// A store with a name.
  case named(ByteText)
  /// A store without a name; each object is a store of its own.
  case object(ObjectIdentifier)
}
