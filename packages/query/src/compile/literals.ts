/** Prints a Float64 literal. It always has a point or exponent, so that the engine does not take it for an integer. */
export const floatLiteral = (value: number): string => {
  if (!Number.isFinite(value)) return value < 0 ? '-inf' : 'inf';
  const text = String(value).replace('e+', 'e');
  return /[.e]/.test(text) ? text : `${text}.0`;
};
