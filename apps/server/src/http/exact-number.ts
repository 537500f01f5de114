const DECIMAL = /^-?(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/;
const SURE_CHARS = 15;

// Not /0+$/: that is quadratic on long runs of zeros that end in another digit.
function trimZeros(digits: string): string {
  let end = digits.length;
  while (end > 0 && digits.charCodeAt(end - 1) === 0x30) end--;
  return digits.slice(0, end);
}

/** One text for one value: digits without zeros at the ends, and the power of ten they are multiplied with. */
function canonical(decimal: string): string {
  const [, whole = '', fraction = '', exponent = '0'] = DECIMAL.exec(decimal) ?? [];
  const digits = (whole + fraction).replace(/^0+/, '');
  const significant = trimZeros(digits);
  return `${significant}e${Number(exponent) + digits.length - significant.length - fraction.length}`;
}

const isZero = (source: string): boolean => !/^[^eE]*[1-9]/.test(source);

/** Whether the float keeps the decimal text: written out again it is the same value. */
export function isExactNumber(source: string, value: number): boolean {
  if (!Number.isFinite(value)) return false;
  if (value === 0) return isZero(source);
  // Fifteen digits without an exponent always survive; this is every price that people really send.
  if (source.length <= SURE_CHARS && !/[eE]/.test(source)) return true;
  return canonical(source) === canonical(String(value));
}
