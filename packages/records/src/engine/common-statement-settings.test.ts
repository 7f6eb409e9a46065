import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openTestStore } from '../../testing/test-store.ts';

test('the engine compiles no query to machine code, so that times do not disclose what others have queried', async () => {
  const t = await openTestStore();
  for (const lane of ['short', 'long', 'write'] as const) {
    const compiling = await t.engine.text(
      String.raw`SELECT name, value FROM system.settings WHERE name LIKE 'compile\_%' ORDER BY name`,
      { lane },
    );
    const settings = compiling.split('\n').filter((line) => line !== '');
    assert.ok(settings.length >= 3);
    for (const setting of settings) assert.match(setting, /\t0$/, lane);
  }
  await t.close();
});
