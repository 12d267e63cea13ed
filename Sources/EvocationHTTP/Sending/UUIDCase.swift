import Evocation
import Foundation

/// Whether a service writes UUIDs in lowercase: as the format says, or else as an answer shows.
///
/// Until one of them does, UUIDs are written in uppercase, as the encoder writes them.
final class UUIDCase: Sendable {
  private let known: Lock<Bool?>

  init(_ isLower: Bool?) {
    known = Lock(isLower)
  }

  var isLower: Bool { known.withLock(\.self) ?? false }

  /// Learns how the service writes UUIDs, from the body with a model's id.
  func learn(from model: (some Identifiable)?, in body: Data) {
    guard let id = model?.id as? UUID, known.withLock({ $0 == nil }) else { return }
    let isLower = body.range(of: Data(id.uuidString.lowercased().utf8)) != nil
    guard isLower || body.range(of: Data(id.uuidString.utf8)) != nil else { return }
    known.withLock { $0 = isLower }
  }
}
