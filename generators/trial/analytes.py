"""What the laboratories measure, in the units of both kinds of laboratory."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal


@dataclass(frozen=True)
class Analyte:
    """What the laboratories measure. `local` and `central`: unit and decimals of each."""

    name: str
    label: str
    local: str
    central: str
    factor: Decimal
    offset: Decimal
    local_places: int
    central_places: int
    low: Decimal
    """Reference limits, in the central laboratory's unit."""
    high: Decimal
    usual: tuple[float, float]
    """Where the subjects of this trial are, in the central laboratory's unit."""
    plausible: tuple[str, str]

    def local_value(self, central: Decimal) -> Decimal:
        """The value in the unit of local laboratories."""
        return central / self.factor + self.offset

    def shown(self, central: Decimal, *, locally: bool) -> Decimal:
        """A value as one of the laboratories prints it."""
        value = self.local_value(central) if locally else central
        places = self.local_places if locally else self.central_places
        return value.quantize(Decimal(1).scaleb(-places))

    def central_of(self, value: Decimal, *, locally: bool) -> Decimal:
        """A printed value in the central laboratory's unit."""
        return (value - self.offset) * self.factor if locally else value


def _analyte(
    name: str,
    units: str,
    places: tuple[int, int],
    limits: tuple[str, str],
    usual: tuple[float, float],
    plausible: tuple[str, str],
) -> Analyte:
    """`units`: those of local and central laboratories, and the factor: `mg/dL mmol/L 0.0555`."""
    local, central, factor, *offset = units.split()
    return Analyte(
        name=name,
        label="HbA1c" if name == "hba1c" else name.upper() if len(name) == 3 else name,
        local=local,
        central=central,
        factor=Decimal(factor),
        offset=Decimal(offset[0]) if offset else Decimal(0),
        local_places=places[0],
        central_places=places[1],
        low=Decimal(limits[0]),
        high=Decimal(limits[1]),
        usual=usual,
        plausible=plausible,
    )


ANALYTES: tuple[Analyte, ...] = (
    _analyte(
        "glucose", "mg/dL mmol/L 0.0555", (0, 1), ("3.9", "5.8"), (6.2, 10.8), ("2.2", "30.0")
    ),
    _analyte(
        "creatinine", "mg/dL umol/L 88.4", (2, 0), ("53", "106"), (56.0, 104.0), ("25", "400")
    ),
    _analyte(
        "cholesterol",
        "mg/dL mmol/L 0.02586",
        (0, 2),
        ("3.00", "5.20"),
        (3.5, 6.3),
        ("1.50", "12.00"),
    ),
    _analyte("ldl", "mg/dL mmol/L 0.02586", (0, 2), ("1.00", "3.40"), (1.6, 4.1), ("0.40", "8.00")),
    _analyte(
        "triglycerides",
        "mg/dL mmol/L 0.01129",
        (0, 2),
        ("0.50", "1.70"),
        (0.9, 3.4),
        ("0.30", "12.00"),
    ),
    _analyte("haemoglobin", "g/dL g/L 10", (1, 0), ("120", "170"), (118.0, 166.0), ("60", "220")),
    _analyte("hba1c", "% mmol/mol 10.929 2.15", (1, 0), ("20", "42"), (55.5, 83.0), ("20", "150")),
    _analyte(
        "bilirubin", "mg/dL umol/L 17.1", (2, 1), ("3.0", "20.0"), (4.5, 19.0), ("2.0", "50.0")
    ),
    _analyte("alt", "U/L U/L 1", (0, 0), ("7", "45"), (13.0, 52.0), ("4", "900")),
    _analyte("ast", "U/L U/L 1", (0, 0), ("8", "40"), (12.0, 43.0), ("4", "900")),
    _analyte("potassium", "mmol/L mmol/L 1", (1, 1), ("3.5", "5.1"), (3.6, 5.3), ("2.0", "7.5")),
    _analyte("sodium", "mmol/L mmol/L 1", (0, 0), ("136", "145"), (135.0, 145.5), ("110", "165")),
    _analyte(
        "platelets", "10^9/L 10^9/L 1", (0, 0), ("150", "400"), (148.0, 360.0), ("20", "1000")
    ),
)
