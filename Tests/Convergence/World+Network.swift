import Evocation
import EvocationTesting

// What becomes of messages.
extension World {
  /// One of the messages arrives, is lost or is repeated.
  func deliver() {
    guard !network.flights.isEmpty else { return }
    let index = random.count(0...network.flights.count - 1)
    let flight = network.flights.remove(at: index)
    let fate = random.count(0...99)
    if fate < options.loss { return lose(flight) }
    switch flight {
    case .request(let exchange):
      if fate > 93, exchange.request.note != nil {
        tally.repeated += 1
        network.flights.append(flight)
      }
      if fate > 88, fate < 92 {
        say("the service is busy for \(exchange.request)")
        let wait: Duration? = random.chance(50) ? .seconds(random.count(1...40)) : nil
        let busy = ServiceError(failureKind: .transient, retryAfter: wait)
        network.flights.append(.answer(exchange, .failure(busy)))
      } else if fate == 88 {
        let refusal = ServiceError(failureKind: .authorization)
        network.flights.append(.answer(exchange, .failure(refusal)))
      } else {
        arrive(exchange)
      }
    case .answer(let exchange, let answer):
      if !exchange.isOpen { tally.late += 1 }
      say("device \(exchange.process.device.number) gets \(answer) for \(exchange.request)")
      network.end(exchange, answer)
    }
  }

  private func arrive(_ exchange: Network.Exchange) {
    let device = exchange.process.device.number
    let answer = service.answer(exchange.request, exchange.key, of: device, at: step)
    say("the service gets \(exchange.request) of device \(device), and answers \(answer)")
    network.flights.append(.answer(exchange, answer))
  }

  private func lose(_ flight: Network.Flight) {
    let exchange =
      switch flight {
      case .request(let exchange), .answer(let exchange, _): exchange
      }
    tally.lost += 1
    // A broken connection is told at once; else the client waits until it gives up.
    if random.chance(60) || exchange.request.note == nil {
      say("the connection breaks for \(exchange.request)")
      network.end(exchange, .failure(Network.lost))
    } else {
      tally.unanswered += 1
      say("\(exchange.request) or its answer is lost")
    }
  }
}

// The end, when the network is well again.
extension World {
  func heal() {
    isHealing = true
    say("all is well again")
    for device in devices {
      if device.process == nil { device.start() }
      device.setOnline(true)
    }
    settle()
    for round in 0..<400 {
      step += 1
      arriveAll()
      guard check.violations.isEmpty, devices.contains(where: { !$0.entries.isEmpty }) else {
        break
      }
      for device in devices {
        guard let evocation = device.process?.evocation else { continue }
        if round % 5 == 0 { for process in device.processes { process.evocation?.outbox.resume() } }
        if device.entries.contains(where: \.isRefused) { decide(device, evocation) }
        settle()
        device.clock.advance(by: round < 100 ? .seconds(20) : .seconds(3_600))
        settle()
      }
    }
    guard check.violations.isEmpty else { return }
    refresh()
  }

  /// Delivers all that is under way, until nothing is.
  private func arriveAll() {
    while !network.flights.isEmpty {
      switch network.flights.removeFirst() {
      case .request(let exchange): arrive(exchange)
      case .answer(let exchange, let answer): network.end(exchange, answer)
      }
      settle()
    }
    // Reads whose messages were lost.
    for exchange in network.open where exchange.request.note == nil {
      network.end(exchange, .failure(Network.lost))
    }
    settle()
  }

  /// Each device reads all there is.
  private func refresh() {
    for device in devices {
      guard let evocation = device.process?.evocation else { continue }
      Task {
        _ = try? evocation.proxy(for: Note.self).strategy(.mirroring)
        let result = await evocation.find(model: Note.self)
        if let error = result.error ?? result.synchronizationError {
          check.fail("the last refresh failed: \(error)")
        }
      }
      settle()
      arriveAll()
    }
  }
}

extension Outbox.Entry {
  /// Whether it waits for the user.
  var isRefused: Bool { if case .parked = state { true } else { false } }
}
