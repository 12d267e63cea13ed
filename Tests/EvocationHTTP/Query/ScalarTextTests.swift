import Evocation
import Foundation
import Testing

@testable import EvocationHTTP

@Suite struct ScalarTextTests {
  private let uuid = UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16))

  @Test func `A UUID is written in capitals, or as it is said`() {
    var text = ScalarText { JSONEncoder() }
    #expect(text.text(of: .uuid(uuid)) == "01020304-0506-0708-090A-0B0C0D0E0F10")
    text.uuid = { $0.uuidString.lowercased() }
    #expect(text.text(of: .uuid(uuid)) == "01020304-0506-0708-090a-0b0c0d0e0f10")
  }

  @Test(arguments: [0, 1, -7, 0.1, 1e16, 1e300, -0.5])
  func `A number is written as the encoder writes it, so that an address names what a body has`(
    number: Double
  ) throws {
    let json = try String(decoding: JSONEncoder().encode([number]), as: UTF8.self)
    #expect("[\(ScalarText { JSONEncoder() }.text(of: .real(number)) ?? "")]" == json)
  }
}
