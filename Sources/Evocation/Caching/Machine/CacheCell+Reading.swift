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
          self?.handle(.readingEnded(number))
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
    let old = state.withLock { $0.machine.reading.body }
    handle(.read(number, body.numbered(like: old)))
  }

  /// Notes that reading failed; whether in the same way as before is found out outside the lock too.
  private func fail(_ error: any Error, _ number: UInt64) {
    let old = state.withLock { $0.machine.reading.failure }
    handle(.readingFailed(number, CacheFailure(error, like: old)))
  }
}
