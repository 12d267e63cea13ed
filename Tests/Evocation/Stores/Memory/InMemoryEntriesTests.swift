import Evocation
import Foundation
import TestTraits
import Testing

@testable import CoreSupport
@testable import EvocationStores

/// What becomes of the entries when the repositories of two models come to share one store.
@Suite(.patient) struct InMemoryEntriesTests {
  @Test func `a pause that a server asked for outlasts the joining of two stores`() {
    func pause(_ seconds: Double) -> ClosedRange<Date> {
      .distantPast...Date(timeIntervalSinceReferenceDate: seconds)
    }
    var (mine, theirs) = (InMemoryEntries(), InMemoryEntries())
    mine.patience = ["a": pause(1), "b": pause(9)]
    theirs.patience = ["a": pause(5), "b": pause(2), "c": pause(3)]
    mine.takeOver(theirs)
    #expect(mine.patience == ["a": pause(5), "b": pause(9), "c": pause(3)])
  }
}
