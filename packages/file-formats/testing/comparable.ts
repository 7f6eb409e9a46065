interface ParseContext {
  source: string;
}

const revive = (_key: string, value: unknown, context?: ParseContext): unknown => {
  if (typeof value !== 'number' || context === undefined) return value;
  if (Object.is(value, -0)) return 'number -0';
  const { source } = context;
  return `number ${/e/i.test(source) || source.length < 16 ? String(value) : source.replace(/\.0$/, '')}`;
};

/** Makes rows comparable: long numbers become texts with their digits, because short numbers can be written in several ways. */
export const comparable = (json: string): Record<string, unknown> =>
  JSON.parse(json, revive as Parameters<typeof JSON.parse>[1]) as Record<string, unknown>;

/** A comparable number as it is in the row. */
export const digitsOf = (value: unknown): unknown =>
  typeof value === 'string' ? value.replace('number ', '') : value;
