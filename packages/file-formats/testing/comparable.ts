interface ParseContext {
  source: string;
}

const revive = (_key: string, value: unknown, context?: ParseContext): unknown => {
  if (typeof value !== 'number' || context === undefined) return value;
  if (Object.is(value, -0)) return 'number -0';
  const { source } = context;
  return `number ${/e/i.test(source) || source.length < 16 ? String(value) : source.replace(/\.0$/, '')}`;
};

/** A row with the digits of long numbers as texts; short numbers may be written in more than one way. */
export const comparable = (json: string): Record<string, unknown> =>
  JSON.parse(json, revive as Parameters<typeof JSON.parse>[1]) as Record<string, unknown>;

/** A comparable number as it is in the row. */
export const digitsOf = (value: unknown): unknown =>
  typeof value === 'string' ? value.replace('number ', '') : value;
