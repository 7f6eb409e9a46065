import { after, before, describe, test } from 'node:test';
import { compareWriteModes } from './cases/write-modes.ts';
import { runCase } from './run-case.ts';
import { readCalls, startWorlds, type WorldsFixture } from './worlds-fixture.ts';

describe('reading records in two worlds that differ only in what the requester may not see', () => {
  let fixture: WorldsFixture;
  before(async () => {
    fixture = await startWorlds();
  });
  after(() => fixture.close());

  for (const operationId of readCalls) {
    test(`two worlds: ${operationId}`, async () => {
      await runCase(operationId, fixture.worlds.same, fixture.scenario);
    });
  }

  test('L11, L18: files replace and upsert visible records in the same way, whatever hidden records have the same keys', async () => {
    const { worlds, scenario, senderFor } = fixture;
    await compareWriteModes(senderFor('write modes'), worlds.hidden, scenario);
  });
});
