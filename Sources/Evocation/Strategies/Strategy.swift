public struct Strategy { public enum Action: String, Sendable { case find } }
