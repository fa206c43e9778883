"""Row echelon form of a real matrix that is known row by row, and how its columns depend.

Numbers are whole multiples of 2^-bits. A row is scaled to size 1 and reduced by the rows found so
far; what is left of it is rounding or a new row. The two are 2^(bits/4) apart or more, else the
precision does not suffice and `PrecisionError` says so. Columns that depend on columns to their
left, and how, are properties of the row space: neither the order of rows nor their scale matters.

Source: Golub & Van Loan 2013, section 3.4.
"""

from __future__ import annotations

from collections.abc import Sequence


class PrecisionError(ArithmeticError):
    """A remainder is neither rounding nor a number at this precision."""


class Echelon:
    """Rows with leading entry 1, by the column of that entry.

    Parameters
    ----------
    bits : binary places of all numbers

    Attributes
    ----------
    rows : column of the leading entry -> the row; entries left of it are zero
    smallest : size of the smallest remainder that became a row, of rows of size 1
    largest : size of the largest remainder that did not
    """

    def __init__(self, bits: int) -> None:
        self.bits = bits
        self.rows: dict[int, list[int]] = {}
        self.smallest, self.largest = 1.0, 0.0
        self._rounding, self._number = 1 << (bits // 3), 1 << (bits * 7 // 12)

    def insert(self, row: Sequence[int]) -> bool:
        """Whether the row is independent of those before it.

        Raises
        ------
        PrecisionError : more bits are needed to tell
        """
        bits = self.bits
        shift = bits - max(map(abs, row), default=0).bit_length()
        left = [x << shift for x in row] if shift >= 0 else [x >> -shift for x in row]
        largest = 0
        for k in range(len(left)):
            size = abs(left[k])
            if size <= self._rounding:
                largest = max(largest, size)
                continue
            found = self.rows.get(k)
            if found is None:
                if size < self._number:
                    raise PrecisionError(f"a remainder of 2^{size.bit_length() - bits}")
                lead = left[k]
                self.rows[k] = [0] * k + [(x << bits) // lead for x in left[k:]]
                self.smallest = min(self.smallest, size / (1 << bits))
                return True
            factor = left[k]
            left[k:] = [x - (factor * y >> bits) for x, y in zip(left[k:], found[k:], strict=True)]
        self.largest = max(self.largest, largest / (1 << bits))
        return False

    def combination(self, column: int) -> dict[int, int]:
        """The column as a sum of leading columns: the factor of each, in units of 2^-bits.

        The column may be a leading one. Factors of the size of rounding are left out.
        """
        if column in self.rows:
            return {column: 1 << self.bits}
        factors: dict[int, int] = {}
        for k in sorted(self.rows, reverse=True):
            if k < column:
                row = self.rows[k]
                value = row[column] - sum(row[j] * x for j, x in factors.items()) // (
                    1 << self.bits
                )
                if abs(value) > self._rounding:
                    factors[k] = value
        return factors
