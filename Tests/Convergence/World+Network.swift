import Evocation
import EvocationTesting

// What becomes of messages.
extension World {
  /// One of the messages arrives, is lost, is refused on its way or is repeated.
  func deliver() {
    guard !network.flights.isEmpty else { return }
    let index = random.count(0...network.flights.count - 1)
    let flight = network.flights.remove(at: index)
    if random.chance(options.loss) { return lose(flight) }
    switch flight {
    case .request(let exchange):
      let isWrite = exchange.request.record != nil
      switch random.count(0...99) {
      case 0..<5 where isWrite:
        tally.repeated += 1
        network.flights.append(flight)
        arrive(exchange)
      case 5..<9: refuse(exchange, busy(), "the service is busy")
      case 9..<13: refuse(exchange, onTheWay(), "something else answers")
      case 13..<15 where isWrite && mayBeUnreadable(exchange): arrive(exchange, isReadable: false)
      default: arrive(exchange)
      }
    case .answer(let exchange, let answer): end(exchange, answer)
    }
  }

  private func busy() -> ServiceError {
    var busy = ServiceError(.transient)
    busy.retryAfter = random.chance(50) ? .seconds(random.count(1...40)) : nil
    return busy
  }

  /// No route, a certificate that nobody trusts, a portal's page: nothing was said of what was asked.
  private func onTheWay() -> ServiceError {
    tally.refusals += 1
    return ServiceError(random.pick([.permanent, .conflict, .transient]), .service)
  }

  private func refuse(_ exchange: Network.Exchange, _ error: ServiceError, _ reason: String) {
    say("\(reason) for \(exchange.request)")
    network.flights.append(.answer(exchange, .failure(error)))
  }

  /// Whether an answer that cannot be read leaves nothing open: neither an id nor a version in the model.
  private func mayBeUnreadable(_ exchange: Network.Exchange) -> Bool {
    options.versions != .property
      && exchange.request.record.map { $0.id > 0 } ?? false
  }

  func arrive(_ exchange: Network.Exchange, isReadable: Bool = true) {
    let device = exchange.process.device
    guard exchange.credential >= device.leastCredential else {
      return refuse(exchange, ServiceError(.authorization), "the credential has expired")
    }
    let before = service.effects.count
    var answer = service.answer(exchange, at: step)
    say("the service gets \(exchange.request) of device \(device.number), and answers \(answer)")
    if service.effects.count > before, let effect = service.effects.last {
      check.carriesOut(effect)
    }
    if !isReadable, case .success = answer, service.done[exchange.key] != nil {
      tally.unreadable += 1
      answer = .failure(ServiceError(.permanent, .carriedOut))
    }
    network.flights.append(.answer(exchange, answer))
  }

  private func end(_ exchange: Network.Exchange, _ answer: Service.Answer) {
    if !exchange.isOpen { tally.late += 1 }
    say("device \(exchange.process.device.number) gets \(answer) for \(exchange.request)")
    if case .failure(let error) = answer, error.failureScope == .write {
      check.refused.insert(exchange.key)
    }
    if exchange.isOpen, exchange.request.record != nil, hasAnswered(answer) {
      exchange.process.device.hasUsedCredential = true
    }
    network.end(exchange, answer)
  }

  /// Whether an answer says that the service took the credential.
  private func hasAnswered(_ answer: Service.Answer) -> Bool {
    if case .failure(let error) = answer { error.failureScope != .service } else { true }
  }

  private func lose(_ flight: Network.Flight) {
    let exchange = flight.exchange
    tally.lost += 1
    // A broken connection is told at once; else the client waits until it gives up.
    if random.chance(60) || exchange.request.record == nil {
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
      device.renewCredential()
    }
    settle()
    for round in 0..<400 {
      step += 1
      arriveAll()
      guard check.violations.isEmpty, devices.contains(where: { !$0.waiting.isEmpty }) else {
        break
      }
      for device in devices {
        guard let evocation = device.process?.evocation else { continue }
        if round % 5 == 0 { resume(device) }
        if device.waiting.contains(where: \.entry.isRefused) { decide(device, evocation) }
        settle()
        device.clock.advance(by: round < 100 ? .seconds(20) : .seconds(3_600))
        settle()
      }
    }
    guard check.violations.isEmpty else { return }
    refresh()
  }

  /// Has a device send again that the app has paused, or whose user had signed out; nothing else needs it.
  private func resume(_ device: Device) {
    for process in device.processes where process.isPaused || device.isHeld {
      process.isPaused = false
      process.evocation?.outbox.resume()
    }
  }

  /// Delivers all that is under way, until nothing is.
  private func arriveAll() {
    while !network.flights.isEmpty {
      switch network.flights.removeFirst() {
      case .request(let exchange): arrive(exchange)
      case .answer(let exchange, let answer): end(exchange, answer)
      }
      settle()
    }
    // Reads whose messages were lost.
    for exchange in network.open where exchange.request.record == nil {
      network.end(exchange, .failure(Network.lost))
    }
    settle()
  }

  /// Each device reads all there is.
  private func refresh() {
    for device in devices {
      guard let evocation = device.process?.evocation else { continue }
      Task {
        await refresh(Note.self, evocation)
        await refresh(Remark.self, evocation)
      }
      settle()
      arriveAll()
      arriveAll()
    }
  }

  private func refresh<Model: AppModel>(_ type: Model.Type, _ evocation: Evocation) async {
    _ = try? evocation.proxy(for: type).strategy(.mirroring)
    let result = await evocation.find(model: type)
    if let error = result.error ?? result.synchronizationError {
      check.fail("the last refresh failed: \(error)")
    }
  }
}
