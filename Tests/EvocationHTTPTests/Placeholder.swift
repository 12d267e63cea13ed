import EvocationHTTP
import Testing
