/// The name of a type with its module, the same at each launch of a build.
///
/// In the name of a type that is `private`, or local to a function, Swift prints an address, which is
/// another at each launch. Its distance from what lies at a fixed place in the same program stands in
/// its place, so that two such types of one name stay apart. Where the type lies in another library
/// than Evocation, that is another at each launch too, and what is kept under the name is not found
/// again.
func stableName(of type: Any.Type) -> String {
  let name = String(reflecting: type)
  let parts = name.split(separator: "$", omittingEmptySubsequences: false)
  return parts.dropFirst().reduce(into: String(parts[0])) { stable, part in
    let digits = part.prefix(while: \.isHexDigit)
    let distance = UInt(digits, radix: 16).map { $0 &- UInt(bitPattern: fixedAddress) }
    stable += distance.map { "+" + String($0, radix: 16) } ?? "$\(digits)"
    stable += part.dropFirst(digits.count)
  }
}

/// Where this program has the description of a type of ours, which no launch moves by itself.
private var fixedAddress: Int {
  // A type is a pointer to its description.
  unsafeBitCast(TimeSource.self as Any.Type, to: Int.self)
}
