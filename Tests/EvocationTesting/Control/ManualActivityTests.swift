import EvocationTesting
import TestTraits
import Testing

@Suite(.patient) struct ManualActivityTests {
  @Test func `All who listen are told each later change, and nothing that changes nothing`() async {
    let activity = ManualActivity()
    #expect(activity.isActive == nil)
    var (first, second) = (
      activity.changes().makeAsyncIterator(), activity.changes().makeAsyncIterator()
    )
    #expect(await activity.listeners(2))
    activity.resignActive()
    activity.resignActive()
    activity.becomeActive()
    activity.resignActive()
    for wanted in [false, true, false] {
      #expect(await first.next() == wanted)
      #expect(await second.next() == wanted)
    }
    #expect(activity.isActive == false)
  }
}
