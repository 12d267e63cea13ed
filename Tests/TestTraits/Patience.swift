import TestSupport
package import Testing

extension Trait where Self == TimeLimitTrait {
  /// Ends a test that hangs, and none that a busy machine is slow with.
  ///
  /// It is longer where random tests try more often, as at night, and under a sanitizer.
  package static var patient: Self {
    .timeLimit(.minutes(5 * Trials.times * Trials.patience))
  }
}
