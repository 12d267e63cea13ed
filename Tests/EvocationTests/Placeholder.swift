import Testing
import Evocation
