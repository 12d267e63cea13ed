public final class Evocation: Sendable { init() {} }
