/// Passes everything on to another encoder, but writes null where a property is left out as nil.
///
/// The code that Swift makes for a model leaves nil out, and a service that merges what it is sent
/// would then keep the value that the app took away.
struct NullWritingEncoder: Encoder {
  let base: any Encoder

  var codingPath: [any CodingKey] { base.codingPath }
  var userInfo: [CodingUserInfoKey: Any] { base.userInfo }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    KeyedEncodingContainer(NullWritingContainer(base: base.container(keyedBy: type)))
  }

  func unkeyedContainer() -> any UnkeyedEncodingContainer {
    base.unkeyedContainer()
  }

  func singleValueContainer() -> any SingleValueEncodingContainer {
    base.singleValueContainer()
  }
}
