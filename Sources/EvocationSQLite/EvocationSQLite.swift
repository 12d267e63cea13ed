public import Evocation
