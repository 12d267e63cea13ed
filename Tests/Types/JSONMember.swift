import Foundation

/// A key of an object in JSON with the text of its value, which is kept as it is written.
struct JSONMember {
  let key: Data
  let value: Data

  struct Malformed: Error {}

  /// Returns the members of an object.
  static func all(of data: Data) throws -> [JSONMember] {
    var (bytes, members) = (Array(data)[...], [JSONMember]())
    guard bytes.popFirst() == UInt8(ascii: "{"), bytes.popLast() == UInt8(ascii: "}") else {
      throw Malformed()
    }
    while !bytes.isEmpty {
      let (key, end) = element(bytes, until: UInt8(ascii: ":"))
      let (value, rest) = element(end, until: UInt8(ascii: ","))
      members.append(JSONMember(key: try text(key), value: value))
      bytes = rest
    }
    return members
  }

  /// The object with these members.
  static func object(_ members: [JSONMember]) -> Data {
    let texts = members.map { member in
      Data((try? JSONEncoder().encode(String(decoding: member.key, as: UTF8.self))) ?? Data())
        + Data(":".utf8)
        + member.value
    }
    return Data("{".utf8) + Data(texts.joined(separator: Data(",".utf8))) + Data("}".utf8)
  }

  /// The members of both, of which the later ones replace the earlier.
  static func merged(_ members: [JSONMember], _ later: [JSONMember]) -> [JSONMember] {
    let changed = Set(later.map(\.key))
    return members.filter { !changed.contains($0.key) } + later
  }

  /// The id of a model as an address has it: a text, or what JSON has for a number.
  static func id(in data: Data, _ path: [String]) throws -> Data {
    guard let key = path.first.map({ Data($0.utf8) }) else { throw Malformed() }
    guard let value = try all(of: data).first(where: { $0.key == key })?.value else {
      throw Malformed()
    }
    if path.count > 1 { return try id(in: value, Array(path.dropFirst())) }
    return value.first == UInt8(ascii: "\"") ? try text(value) : value
  }

  private static func text(_ json: Data) throws -> Data {
    Data(try JSONDecoder().decode(String.self, from: json).utf8)
  }

  /// Returns what stands before a sign that is in no text and in no inner value, and what follows it.
  private static func element(
    _ bytes: ArraySlice<UInt8>, until end: UInt8
  ) -> (Data, ArraySlice<UInt8>) {
    var (depth, isText, isEscaped) = (0, false, false)
    for (index, byte) in zip(bytes.indices, bytes) {
      if isEscaped {
        isEscaped = false
      } else if byte == UInt8(ascii: "\\") {
        isEscaped = true
      } else if byte == UInt8(ascii: "\"") {
        isText.toggle()
      } else if !isText {
        if byte == end, depth == 0 { return (Data(bytes[..<index]), bytes[(index + 1)...]) }
        if [UInt8(ascii: "{"), UInt8(ascii: "[")].contains(byte) { depth += 1 }
        if [UInt8(ascii: "}"), UInt8(ascii: "]")].contains(byte) { depth -= 1 }
      }
    }
    return (Data(bytes), [])
  }
}
