extension CacheCell {
  /// Observes what is saved.
  func reading(_ number: UInt64, _ seat: Seat) -> Task<Void, Never> {
    WriteScope.apart {
      Task { [weak self] in
        do {
          if let parts = seat.parts {
            for try await part in parts {
              guard let self, !Task.isCancelled else { return }
              self.take(seat.body(part), number)
            }
          } else {
            for try await cache in seat.source.observeCache(seat.requirements) {
              guard let self, !Task.isCancelled else { return }
              self.take(seat.body(cache), number)
            }
          }
          self?.handle { $0.readingEnded(number, at: $1) }
        } catch {
          if let damage = error as? ListDamage { await self?.letGo(damage, seat) }
          self?.fail(error, number)
        }
      }
    }
  }

  /// Takes what was read.
  ///
  /// It is compared with what was read before outside the lock, because an app's own code compares.
  private func take(_ body: Machine.Body, _ number: UInt64) {
    let (old, version) = state.withLock { ($0.machine.body, $0.machine.bodyVersion) }
    let same = old.isEqual(to: body) ? version : nil
    handle { $0.read(number, body, sameAs: same, at: $1) }
  }

  /// Notes that reading failed; whether in the same way as before is found out outside the lock too.
  private func fail(_ error: any Error, _ number: UInt64) {
    let (old, version) = state.withLock { ($0.machine.readError, $0.machine.errorVersion) }
    let same = ErrorIdentity.areSame(old, error) ? version : nil
    handle { $0.readingFailed(number, error, sameAs: same, at: $1) }
  }
}

extension CacheMachine.Body {
  /// Whether two contents are equal; false where the type does not say.
  fileprivate func isEqual(to other: Self) -> Bool {
    func opened<Known: Equatable>(_ left: Known, _ right: Content) -> Bool {
      (right as? Known) == left
    }
    switch (self, other) {
    case (.value(let left, _), .value(let right, _)):
      guard let left = left as? any Equatable else { return false }
      return opened(left, right)
    case (.empty, .empty): return true
    case (.unread, _), (.empty, _), (.value, _): return false
    }
  }
}
