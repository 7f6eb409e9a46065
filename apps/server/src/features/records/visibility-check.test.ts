import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createTestRuntime } from '@redoubt/server/testing';
import { whileAllowed } from './visibility-check.ts';

async function* rows(): AsyncGenerator<Uint8Array> {
  yield Buffer.from('first');
  yield Buffer.from('second');
}

test('a slow statement returns no row to a reader who lost access before the first row', async () => {
  const { clock } = createTestRuntime();
  const since = clock.now();
  clock.advance(20_000);
  let passedOn = 0;
  await assert.rejects(async () => {
    for await (const piece of whileAllowed(rows(), async () => false, clock, since)) passedOn += piece.length;
  }, /Your access to these records changed/);
  assert.equal(passedOn, 0);
});

test('visibility that was just resolved is not resolved again for a short response', async () => {
  const { clock } = createTestRuntime();
  let passedOn = '';
  for await (const piece of whileAllowed(rows(), async () => false, clock, clock.now())) {
    passedOn += Buffer.from(piece).toString();
  }
  assert.equal(passedOn, 'firstsecond');
});

test('a reader who loses access before the end of a response does not get a complete response', async () => {
  const { clock } = createTestRuntime();
  const slow = async function* () {
    yield* rows();
    clock.advance(20_000);
  };
  await assert.rejects(async () => {
    for await (const _ of whileAllowed(slow(), async () => false, clock, clock.now()));
  }, /Your access to these records changed/);
});
