/// A property of an iterator that all copies of the iterator share.
///
/// In release mode Swift 6.3 may call a local function that captures an iterator with a copy of it
/// each time, and each copy would begin again.
@propertyWrapper
package final class SharedByCopies<Value> {
  package var wrappedValue: Value

  package init(wrappedValue: Value) {
    self.wrappedValue = wrappedValue
  }
}
