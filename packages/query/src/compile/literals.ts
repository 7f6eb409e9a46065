/** A Float64 literal: never read as an integer, so that numbers are compared as floats. */
export const floatLiteral = (value: number): string => {
  if (!Number.isFinite(value)) return value < 0 ? '-inf' : 'inf';
  const text = String(value).replace('e+', 'e');
  return /[.e]/.test(text) ? text : `${text}.0`;
};
