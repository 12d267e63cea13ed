/// The single-value container of a parameter: what raw-value enums and wrappers encode into.
struct ParameterValue: SingleValueEncodingContainer {
  let encoder: ParameterEncoder

  var codingPath: [any CodingKey] { [] }

  func encodeNil() { writer.pointee.null(entry) }
  func encode(_ value: Bool) { writer.pointee.bool(value, entry) }
  func encode(_ value: String) { writer.pointee.text(value, entry) }
  func encode(_ value: Double) { writer.pointee.double(value, entry) }
  func encode(_ value: Float) { writer.pointee.double(Double(value), entry) }
  func encode(_ value: Int) { writer.pointee.integer(value, entry) }
  func encode(_ value: Int8) { writer.pointee.integer(value, entry) }
  func encode(_ value: Int16) { writer.pointee.integer(value, entry) }
  func encode(_ value: Int32) { writer.pointee.integer(value, entry) }
  func encode(_ value: Int64) { writer.pointee.integer(value, entry) }
  func encode(_ value: UInt) { writer.pointee.integer(value, entry) }
  func encode(_ value: UInt8) { writer.pointee.integer(value, entry) }
  func encode(_ value: UInt16) { writer.pointee.integer(value, entry) }
  func encode(_ value: UInt32) { writer.pointee.integer(value, entry) }
  func encode(_ value: UInt64) { writer.pointee.integer(value, entry) }
  func encode<Value: Encodable>(_ value: Value) throws { try encoder.write(value) }

  private var writer: UnsafeMutablePointer<ParameterWriter> { encoder.row.writer }
  private var entry: Int32 { encoder.entry }
}
