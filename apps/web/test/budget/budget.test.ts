import { ok } from 'node:assert/strict';
import { test } from 'node:test';
import { measureBudget } from './budget.ts';

test('the budget of the console is measured, and its figures that do not depend on the machine are kept', async () => {
  const figures = await measureBudget({ rows: 3000, steps: 100, onProgress: () => undefined });
  for (const { name, value, unit, limit } of figures) {
    ok(Number.isFinite(value), `${name}: ${String(value)}`);
    if (unit !== 'ms') ok(value <= limit, `${name}: ${String(value)} ${unit}, at most ${String(limit)}`);
  }
});
