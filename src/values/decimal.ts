/** An exact decimal, for money. A number is converted as it is printed, so 0.1 x 3 is 0.3. */
export interface Decimal {
  /** The digits as a whole number: 12.5 has the units 125 and the scale 1. */
  readonly units: bigint;
  /** The number of digits after the decimal point, never negative. */
  readonly scale: number;
}

const numberShape = /^(-?\d+)(?:\.(\d+))?(?:e([+-]\d+))?$/;

export function decimalOf(value: number): Decimal {
  if (Number.isSafeInteger(value)) return { units: BigInt(value), scale: 0 };
  const match = numberShape.exec(String(value));
  if (!match) throw new RangeError('a decimal must be a finite number');
  const [, whole = '', fraction = '', exponent = 0] = match;
  const units = BigInt(`${whole}${fraction}`);
  const scale = fraction.length - Number(exponent);
  return scale >= 0 ? { units, scale } : { units: units * 10n ** BigInt(-scale), scale: 0 };
}

function atScale(value: Decimal, scale: number): bigint {
  return scale === value.scale ? value.units : value.units * 10n ** BigInt(scale - value.scale);
}

export function multiply(a: Decimal, b: Decimal): Decimal {
  return { units: a.units * b.units, scale: a.scale + b.scale };
}

export function add(a: Decimal, b: Decimal): Decimal {
  const scale = Math.max(a.scale, b.scale);
  return { units: atScale(a, scale) + atScale(b, scale), scale };
}

export function subtract(a: Decimal, b: Decimal): Decimal {
  return add(a, { units: -b.units, scale: b.scale });
}

export function compare(a: Decimal, b: Decimal): number {
  const { units } = subtract(a, b);
  if (units === 0n) return 0;
  return units < 0n ? -1 : 1;
}

export function toNumber({ units, scale }: Decimal): number {
  return Number(`${units}e-${scale}`);
}

/** The number that prints as exactly this decimal; undefined if a double cannot represent it. */
export function toExactNumber(value: Decimal): number | undefined {
  const nearest = toNumber(value);
  return Number.isFinite(nearest) && compare(decimalOf(nearest), value) === 0 ? nearest : undefined;
}
