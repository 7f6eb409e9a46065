import { parseArgs } from 'node:util';
import { measureBudget } from './budget.ts';

/** Measures the console with a million rows of 100 columns, and prints each figure beside its limit. */
const { values } = parseArgs({
  options: { rows: { type: 'string', default: '1000000' }, steps: { type: 'string', default: '10000' } },
});
const say = (line: string): void => void process.stderr.write(`${line}\n`);
const figures = await measureBudget({
  rows: Number(values.rows),
  steps: Number(values.steps),
  onProgress: say,
});
for (const { name, value, unit, limit } of figures) {
  const isKept = value <= limit;
  const text = `${value.toFixed(value < 1 ? 3 : 1)} ${unit}`.trim();
  console.log(`${isKept ? 'ok  ' : 'OVER'} ${name}: ${text} (at most ${String(limit)} ${unit})`.trimEnd());
}
process.exit(figures.every(({ value, limit }) => value <= limit) ? 0 : 1);
