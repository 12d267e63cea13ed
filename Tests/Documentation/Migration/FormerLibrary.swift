import Testing

/// A library that apps come from: its page, and every public name of its own documentation.
struct FormerLibrary: CustomTestStringConvertible, Sendable {
  let page: String
  let names: [String]

  var testDescription: String { page }

  static let all = [evocation, teller, storeFlowable]
}
