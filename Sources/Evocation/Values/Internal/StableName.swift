/// Returns the name of a type with its module, the same at each launch of a build.
///
/// Swift prints an address in the name of a type that is `private`, or local to a function, and
/// that address changes at each launch. This function replaces it by the distance from a fixed
/// position in the same program, so that two such types of one name stay distinct. For a type in
/// another library than Evocation, the distance also changes at each launch, and data under the
/// name are not found again. For a type of Evocation itself, the name has the module that apps
/// import, whichever target declares it.
package func stableName(of type: Any.Type) -> String {
  let name = plainName(of: type)
  let parts = name.split(separator: "$", omittingEmptySubsequences: false)
  return parts.dropFirst().reduce(into: String(parts[0])) { stable, part in
    let digits = part.prefix(while: \.isHexDigit)
    let distance = UInt(digits, radix: 16).map { $0 &- UInt(bitPattern: fixedAddress) }
    stable += distance.map { "+" + String($0, radix: 16) } ?? "$\(digits)"
    stable += part.dropFirst(digits.count)
  }
}

/// The address of the description of one of our types, which moves only together with the program.
private var fixedAddress: Int {
  // A type is a pointer to its description.
  unsafeBitCast(TimeSource.self as Any.Type, to: Int.self)
}
