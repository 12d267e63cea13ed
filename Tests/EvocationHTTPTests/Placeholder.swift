import Testing
import EvocationHTTP
