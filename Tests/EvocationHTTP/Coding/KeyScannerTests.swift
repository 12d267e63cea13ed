import EvocationTesting
import Foundation
import TestSupport
import Testing

@testable import EvocationHTTP
@testable import EvocationValues

/// What the bytes of an answer say about its models is what a decoder says.
@Suite struct KeyScannerTests {
  private static let wanted = ["note", "tags", "a b"].map { AnyKey($0) }

  private struct Lacking: Decodable {
    let keys: Set<String>

    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: AnyKey.self)
      keys = Set(KeyScannerTests.wanted.filter { !container.contains($0) }.map(\.stringValue))
    }
  }

  private func scanned(_ json: String, at key: String = "") -> [Set<String>]? {
    let absent = KeyScanner.absent(Self.wanted, inListAt: key, of: Data(json.utf8))
    return absent.map { $0.sets.isEmpty ? Array(repeating: [], count: $0.count) : $0.sets }
  }

  @Test func `The keys that models lack are those that a decoder does not find`() throws {
    var random = Trials.random("keys of models")
    var understood = 0
    for _ in 0..<Trials.count(300) {
      let list = random.list()
      let isInObject = random.chance(30)
      let json = isInObject ? "{\"total\":{\"items\":[]},\"items\": \(list),\"note\":1}" : list
      let data = Data(json.utf8)
      let decoded =
        isInObject
        ? try JSONDecoder().decode([String: Skipped].self, from: data)["items"]?.lists ?? []
        : try JSONDecoder().decode([Lacking].self, from: data).map(\.keys)
      if let found = scanned(json, at: isInObject ? "items" : "") {
        understood += 1
        #expect(found == decoded, "\(json)")
      }
      // Whatever is cut off, the scanner reads nothing behind its end.
      for _ in 0..<5 { _ = scanned(String(json.prefix(random.count(0...json.count)))) }
    }
    #expect(understood > 100)
  }

  /// A value of an object, of which only a list of models counts.
  private struct Skipped: Decodable {
    let lists: [Set<String>]?

    init(from decoder: any Decoder) throws {
      lists = try? decoder.singleValueContainer().decode([Lacking].self).map(\.keys)
    }
  }

  @Test(arguments: [
    #"[{"no\u0074e":1}]"#, #"[{"é":1}]"#, "[null]", "[[]]", "[1]", "{}", "", "[", "[{", #"[{"note"#,
    #"[{"note":"\"#, #"[{"note":1"#, #"[{"note":1}"#, "\u{feff}[]", #"{"items":[{}]}"#,
    "[{'note':1}]",
  ])
  func `What is not plain is left to the decoder`(json: String) {
    #expect(scanned(json) == nil)
    let wide = json.data(using: .utf16LittleEndian) ?? Data()
    #expect(KeyScanner.absent(Self.wanted, inListAt: "", of: wide) == nil)
  }

  @Test func `A list that an object has twice is left to the decoder`() {
    let json = #"{"items":[{}],"note":1,"items":[{"note":1}]}"#
    #expect(scanned(json, at: "items") == nil)
    #expect(scanned(#"{"items":[{}],"note":{"items":[]}}"#, at: "items")?.count == 1)
    #expect(scanned(#"{"items":[{}],"not"#, at: "items") == nil)
  }

  @Test func `More keys than a word has bits are left to the decoder`() {
    let keys = (0..<65).map { AnyKey("k\($0)") }
    let body = Data(#"[{"k0":1,"k63":2}]"#.utf8)
    #expect(KeyScanner.absent(keys, inListAt: "", of: body) == nil)
    let most = KeyScanner.absent(Array(keys.dropLast()), inListAt: "", of: body)
    #expect(most?.sets == [Set((1..<63).map { "k\($0)" })])
  }
}

extension SeededGenerator {
  fileprivate mutating func list() -> String {
    let objects = (0..<count(0...4)).map { _ in object(depth: 0) }
    return "[" + space() + objects.joined(separator: "," + space()) + space() + "]"
  }

  private mutating func object(depth: Int) -> String {
    let keys = ["note", "tags", "a b", "id", "not", "notes", "", "n,{[", "x:y"]
    let members = (0..<count(0...6)).map { _ in
      "\"\(pick(keys))\"" + space() + ":" + space() + value(depth: depth) + space()
    }
    return "{" + space() + members.joined(separator: "," + space()) + "}"
  }

  private mutating func value(depth: Int) -> String {
    let plain = [
      "1", "-2.5e3", "true", "null", "\"\"", "\"note\"", #""a\"b""#, #""\\""#, #""}],{[:""#,
      "\"é\"", "[]",
      "{}",
    ]
    guard depth < 3, chance(30) else { return pick(plain) }
    if chance(50) { return object(depth: depth + 1) }
    let inner = (0..<count(0...3)).map { _ in value(depth: depth + 1) }
    return "[" + inner.joined(separator: ",") + "]"
  }

  private mutating func space() -> String { pick(["", "", " ", "\n\t", "\r\n"]) }
}
