internal import Evocation
internal import Foundation

extension SQLValue {
  /// The form in which a column holds the value.
  init(_ scalar: Criteria.Scalar) {
    self =
      switch scalar {
      case .null: .null
      case .bool(let value): .integer(value ? 1 : 0)
      case .integer(let value): .integer(value)
      case .unsigned(let value): StoredForm.integer(value)
      case .real(let value): StoredForm.real(value)
      case .decimal(let value): .text(value.description)
      case .text(let value): .text(value)
      case .date(let value): StoredForm.real(value.timeIntervalSinceReferenceDate)
      case .uuid(let value): .blob(withUnsafeBytes(of: value.uuid) { [UInt8]($0) })
      case .data(let value): .blob([UInt8](value))
      case .url(let value): .text(value.absoluteString)
      }
  }

  /// The value as the plainest scalar, without knowledge of what the column means.
  var scalar: Criteria.Scalar {
    switch self {
    case .null: .null
    case .integer(let value): .integer(value)
    case .real(let value): .real(value)
    case .text(let value): .text(value)
    case .blob(let value): .data(Data(value))
    case .textBytes(let value): .text(String(decoding: value, as: UTF8.self))
    }
  }
}
