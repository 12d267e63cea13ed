/// What goes wrong in the tests of caches.
enum Trouble: Error {
  case fetching
  case saving
  case deleting
  case observing
  case ledger
}
