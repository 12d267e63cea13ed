import Evocation
import EvocationTesting
import Foundation

@testable import EvocationOutbox

/// Many devices whose writes have waited, and the service that they send them to.
struct FleetSimulation {
  enum Scenario: String, CaseIterable {
    /// The service was away, and returns.
    case serviceReturns
    /// The devices were offline, and all are online again in the same second.
    case networkReturns
  }

  struct Settings {
    var devices: Int
    var capacity: Double
    var scenario: Scenario
    var policy: FleetService.Policy
    var retry: Strategy.Retry
    var entries = 1...20
    var outage = 3600.0
    var seed: UInt64 = 1
  }

  private struct Device {
    var pace: ServicePace
    var entries: [Entry] = []
    var began: Double?
    var finished = 0.0
    /// When it is looked at next; an earlier look takes its place.
    var look = Double.infinity

    /// The entry that may go first.
    var next: Int? {
      var next: Int?
      for index in entries.indices
      where next.map({ entries[index].readyAt < entries[$0].readyAt }) ?? true { next = index }
      return next
    }
  }

  private struct Entry {
    var failures = 0
    var readyAt = 0.0
  }

  private struct Event: Comparable {
    enum Kind {
      case written
      case look
      case back
      case asked(Entry, ServicePace.Request)
      case ended(Entry, ServicePace.Request, FleetService.Answer)
    }

    let time: Double
    let number: Int
    let device: Int
    let kind: Kind

    static func < (left: Event, right: Event) -> Bool {
      (left.time, left.number) < (right.time, right.number)
    }

    static func == (left: Event, right: Event) -> Bool { left.number == right.number }
  }

  private let settings: Settings
  private var random: SeededGenerator
  private var service: FleetService
  private var devices: [Device]
  private var events = FleetQueue<Event>()
  private var count = 0
  private var report = FleetReport()

  static func run(_ settings: Settings) -> FleetReport {
    var simulation = FleetSimulation(settings)
    simulation.run()
    return simulation.report
  }

  private init(_ settings: Settings) {
    self.settings = settings
    random = SeededGenerator(seed: settings.seed)
    service = FleetService(settings.policy, capacity: settings.capacity)
    let pace = ServicePace(settings.retry)
    devices = Array(repeating: Device(pace: pace), count: settings.devices)
    report.capacity = settings.capacity
  }

  private mutating func run() {
    for device in devices.indices {
      let entries = random.count(settings.entries)
      report.entries += entries
      for _ in 0..<entries { add(.written, device, at: chance() * settings.outage) }
      if settings.scenario == .networkReturns {
        add(.back, device, at: settings.outage + chance())
      }
    }
    while let event = events.pop() { handle(event) }
    report.waits = devices.map { $0.finished - settings.outage }
    report.probes = devices.map { ($0.began ?? 0) - settings.outage }
  }

  private mutating func handle(_ event: Event) {
    let (now, device) = (event.time, event.device)
    switch event.kind {
    case .written:
      devices[device].entries.append(Entry())
      if settings.scenario == .serviceReturns { send(device, at: now) }
    case .back:
      devices[device].pace.comeBack(at: .seconds(now), chance: chance())
      send(device, at: now)
    case .look:
      guard devices[device].look == now else { return }
      devices[device].look = .infinity
      send(device, at: now)
    case .asked(let entry, let request):
      var answer = FleetService.Answer.refused(retryAfter: nil)
      if now >= settings.outage {
        answer = service.answer(at: now - settings.outage)
        report.note(answer, at: now - settings.outage)
      }
      add(.ended(entry, request, answer), device, at: now + latency())
    case .ended(let entry, let request, let answer):
      end(entry, request, answer, device, at: now)
      send(device, at: now)
    }
  }

  private mutating func end(
    _ entry: Entry, _ request: ServicePace.Request, _ answer: FleetService.Answer, _ device: Int,
    at now: Double
  ) {
    switch answer {
    case .taken:
      devices[device].pace.succeed(request, at: .seconds(now))
      devices[device].began = devices[device].began ?? now
      devices[device].finished = now
    case .refused(let retryAfter):
      var entry = entry
      let suspected = devices[device].pace.fail(
        request, retryAfter: retryAfter, at: .seconds(now), chance: chance())
      if suspected {
        entry.failures += 1
        let pause = settings.retry.backoff.pause(after: entry.failures, chance: chance())
        entry.readyAt = now + pause.seconds
      }
      devices[device].entries.append(entry)
    }
  }

  /// Begins what the pace has room for.
  private mutating func send(_ device: Int, at now: Double) {
    while let index = devices[device].next {
      let ready = devices[device].entries[index].readyAt
      guard ready <= now else { return look(at: device, at: ready) }
      switch devices[device].pace.room(at: .seconds(now)) {
      case .now:
        let entry = devices[device].entries.remove(at: index)
        let request = devices[device].pace.begin(at: .seconds(now), chance: chance())
        add(.asked(entry, request), device, at: now + latency())
      case .from(let time): return look(at: device, at: max(time.seconds, now + 0.001))
      case .whenOneEnds: return
      }
    }
  }

  private mutating func look(at device: Int, at time: Double) {
    guard time != devices[device].look else { return }
    devices[device].look = time
    add(.look, device, at: time)
  }

  private mutating func add(_ kind: Event.Kind, _ device: Int, at time: Double) {
    count += 1
    events.push(Event(time: time, number: count, device: device, kind: kind))
  }

  private mutating func chance() -> Double { Double(random.next() >> 11) / 0x1p53 }

  /// Half of the way to the service and back, some tens of milliseconds.
  private mutating func latency() -> Double { 0.01 + 0.03 * chance() }
}
