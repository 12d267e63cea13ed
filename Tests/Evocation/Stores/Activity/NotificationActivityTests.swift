import Evocation
import Foundation
import TestTraits
import Testing

@Suite(.patient) struct NotificationActivityTests {
  private let center = NotificationCenter()
  private let shown = Notification.Name("shown")
  private let hidden = Notification.Name("hidden")

  @Test func `Notifications say whether the app is active, and each change is told once`() async {
    let activity = NotificationActivity(active: [shown], inactive: [hidden], center: center)
    #expect(activity.isActive == nil)
    var changes = activity.changes().makeAsyncIterator()
    for (name, isActive) in [(shown, true), (hidden, false), (shown, true)] {
      center.post(name: name, object: nil)
      center.post(name: name, object: nil)
      #expect(activity.isActive == isActive)
      #expect(await changes.next() == isActive)
    }
  }

  @Test func `Who is slow is told the last change, and the changes end with the activity`() async {
    var activity: NotificationActivity? = NotificationActivity(
      active: [shown], inactive: [hidden], center: center)
    weak let gone = activity
    var changes = activity?.changes().makeAsyncIterator()
    for name in [shown, hidden] { center.post(name: name, object: nil) }
    #expect(await changes?.next() == false)
    activity = nil
    #expect(gone == nil)
    center.post(name: shown, object: nil)
    #expect(await changes?.next() == nil)
  }
}
