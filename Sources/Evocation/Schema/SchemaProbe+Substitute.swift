extension SchemaProbe {
  /// Makes a value of a type that refuses what it is given, without its own help.
  ///
  /// Only for types coded as a single value, and for enums, which ask for all keys: of others it
  /// would not be known what else they would have asked for.
  static func substitute<Value>(_ type: Value.Type, _ recorder: SchemaRecorder) -> Value? {
    guard recorder.shapes == [.single] || recorder.asksForAllKeys else { return nil }
    if let type = type as? any CaseIterable.Type, let value = firstCase(type) as? Value {
      return value
    }
    guard recorder.shapes == [.single] else { return nil }
    return MemoryLayout<Value>.size == 0 && type is any RawRepresentable.Type
      ? read(type) : zero(type)
  }

  /// Makes the value whose bits are all zero, if that is sure to be one.
  ///
  /// It is for trivial types of one or two bytes. Those have nothing to retain, and are too small
  /// for a pointer, which could not be zero. What is left are Booleans, numbers and enums, alone or
  /// together, for each of which zero is a value: an enum counts its cases from zero. A type
  /// without any bits is left out, because an enum without cases is one and has no value.
  static func zero<Value>(_ type: Value.Type) -> Value? {
    (1...2).contains(MemoryLayout<Value>.size) ? read(type) : nil
  }

  private static func read<Value>(_ type: Value.Type) -> Value? {
    guard _isPOD(type), MemoryLayout<Value>.size <= 2 else { return nil }
    return withUnsafeBytes(of: UInt16(0)) { $0.load(as: type) }
  }

  private static func firstCase<Value: CaseIterable>(_ type: Value.Type) -> Any? {
    Value.allCases.first
  }
}
