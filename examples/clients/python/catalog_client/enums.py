from enum import Enum


class EvidenceLevel(str, Enum):
    REPORTED = "REPORTED"
    REPRODUCIBLE = "REPRODUCIBLE"
    VERIFIED = "VERIFIED"
    REPLICATED = "REPLICATED"
