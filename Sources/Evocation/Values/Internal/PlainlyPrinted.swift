internal import Foundation

/// A value that prints as Swift prints it, with the module that apps import.
///
/// Swift writes the module of a type into the text of a value that is part of another value. The
/// targets that declare Evocation's types are none of its user's concern, and may change.
///
/// ```swift
/// let text = "\([Outbox.Pause.offline])"  // [Evocation.Outbox.Pause.offline]
/// ```
public protocol PlainlyPrinted: CustomStringConvertible, CustomDebugStringConvertible {}

extension PlainlyPrinted {
  /// The text of the value itself: its type and parts, or its case.
  public var description: String { plainText(of: self, isPart: false) }

  /// The text of the value as a part of another one, with the full names of types.
  public var debugDescription: String { plainText(of: self, isPart: true) }
}

/// A part of a value that its text leaves out, because it says nothing that the other parts do not.
protocol Unprinted {}

/// Returns the text that Swift makes of values that say nothing about it.
private func plainText<Value>(of value: Value, isPart: Bool) -> String {
  let mirror = Mirror(reflecting: value)
  let name = isPart ? plainName(of: mirror.subjectType) : "\(mirror.subjectType)"
  switch mirror.displayStyle {
  case .enum:
    let type = isPart ? name + "." : ""
    guard let (label, values) = mirror.children.first else {
      return type + (enumCaseName(value).map { String(cString: $0) } ?? "")
    }
    let isTuple = Mirror(reflecting: values).displayStyle == .tuple
    let text = partText(of: values)
    return type + (label ?? "") + (isTuple ? text : "(\(text))")
  case .struct:
    let parts = mirror.children.filter { !($0.value is any Unprinted) }
      .map { "\($0.label ?? ""): \(partText(of: $0.value))" }
    return "\(name)(\(parts.joined(separator: ", ")))"
  default: return plainName(of: mirror.subjectType)
  }
}

/// Returns the text of a part, whose type may be one that apps do not see.
private func partText(of part: Any) -> String {
  let type = type(of: part)
  let saysItself = part is any CustomDebugStringConvertible || part is any CustomStringConvertible
  return saysItself || plainName(of: type) == String(reflecting: type)
    ? String(reflecting: part) : plainText(of: part, isPart: true)
}

/// Returns the full name of a type, with the module that apps import for each type of Evocation's.
package func plainName(of type: Any.Type) -> String {
  // `String(reflecting:)` first looks for conformances of the metatype, of which there are none, in the
  // whole program ("launch").
  let name = _typeName(type)
  // Most types are an app's, and each registration asks, so this is a search of bytes ("launch").
  guard name.withCString({ strstr($0, "Evocation") }) != nil else { return name }
  return ["Values", "Stores", "Calls", "Outbox", "Caching"].reduce(name) { name, target in
    name.replacing("(extension in Evocation\(target)):", with: "")
      .replacing("Evocation\(target).", with: "Evocation.")
  }
}

// The name of a case without values, which Swift tells its own printing alone. The function is a part
// of the runtime's stable interface.
@_silgen_name("swift_EnumCaseName")
private func enumCaseName<Value>(_ value: Value) -> UnsafePointer<CChar>?
