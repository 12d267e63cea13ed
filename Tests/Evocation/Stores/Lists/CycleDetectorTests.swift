import Evocation
import Foundation
import Testing

@testable import EvocationStores

/// Finding out that a list's cursors go round.
@Suite struct CycleDetectorTests {
  /// After how many cursors a road that begins straight and ends in a circle is left.
  private func length(straight: Int, circle: Int) -> Int? {
    func cursor(_ step: Int) -> Data {
      let place = step < straight ? step : straight + (step - straight) % circle
      return Data("\(place)".utf8)
    }
    var trail = CycleDetector(cursor(0))
    return (1...1_000).first { !trail.advance(cursor($0)) }
  }

  @Test func `A circle of any length is found out, wherever it begins`() throws {
    for straight in 0...20 {
      for circle in 1...40 {
        let left = try #require(length(straight: straight, circle: circle))
        #expect(left >= straight + circle)
        #expect(left <= 3 * (straight + circle) + 1, "\(straight) and \(circle)")
      }
    }
  }

  @Test func `A road that only goes on is never left`() {
    #expect(length(straight: 2_000, circle: 1) == nil)
  }
}
