const format = new Intl.NumberFormat('en');

/** A number with thousands separators: `11,008`. */
export const formatNumber = (value: number): string => format.format(value);
