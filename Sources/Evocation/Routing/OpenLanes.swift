import Dispatch
import Foundation
import Synchronization

/// Lanes for jobs whose order does not matter, which the whole process shares.
///
/// They replace GCD's global queues. On Linux, these have one thread for each processor, and add
/// another only once a second while all of them wait.
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

  /// Returns the lanes for jobs of a priority.
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
