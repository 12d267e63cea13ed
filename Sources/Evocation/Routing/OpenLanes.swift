import Dispatch
import Foundation
import Synchronization

/// Lanes for jobs that need no order among each other, which the whole process shares.
///
/// They stand in for GCD's global queues, which have one thread a processor on Linux and give
/// another once a second when these wait.
final class OpenLanes: Sendable {
  private static let high = OpenLanes(.userInitiated)
  private static let medium = OpenLanes(.default)
  private static let low = OpenLanes(.utility)
  private static let background = OpenLanes(.background)

  private let lanes: [CallLane]
  private let turn = Atomic(0)

  private init(_ qos: DispatchQoS) {
    let count = min(max(ProcessInfo.processInfo.activeProcessorCount, 2), 8)
    lanes = (0..<count).map { _ in CallLane(qos) }
  }

  /// The lanes for jobs of a priority.
  static func of(_ priority: TaskPriority?) -> OpenLanes {
    switch priority {
    case .some(let priority) where priority >= .high: high
    case .some(let priority) where priority >= .medium: medium
    case .some(let priority) where priority >= .low: low
    case .some: background
    case nil: medium
    }
  }

  func append(_ item: CallLane.Item) {
    let turn = turn.wrappingAdd(1, ordering: .relaxed).oldValue
    lanes[Int(turn.magnitude) % lanes.count].append(item)
  }
}
