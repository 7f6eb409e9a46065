import { createTestRuntime } from '@redoubt/server/testing';
import assert from 'node:assert/strict';
import { beforeEach, describe, test } from 'node:test';
import { createTokens, tokenLifetimeSeconds, type Tokens } from './tokens.ts';
import { createVerifiedTokens } from './verified-tokens.ts';

const secretOf = (seed: string): Uint8Array => createTestRuntime(seed).random.bytes(48);

describe('access tokens', () => {
  let now: Date;
  let tokens: Tokens;
  const tokensOf = (seed: string): Tokens =>
    createTokens({ secret: secretOf(seed), clock: { now: () => now } });
  const signed = async (by: Tokens = tokens): Promise<string> => {
    const { token } = await by.sign({ id: 's', accountId: 'a', email: 'a@example.org', createdAt: now });
    return token;
  };

  beforeEach(() => {
    now = new Date('2026-01-01T00:00:00.700Z');
    tokens = tokensOf('one');
  });

  test('verifying a token twice gives the same claims', async () => {
    const token = await signed();
    const first = await tokens.verify(token);
    assert.equal(first?.jti, 's');
    assert.deepEqual(await tokens.verify(token), first);
  });

  test('a token expires at the same time whether or not it was verified before', async () => {
    const token = await signed();
    const lastValid = new Date(now.getTime() + tokenLifetimeSeconds * 1000 - 701);
    const tooLate = new Date(lastValid.getTime() + 1);
    for (const verifier of [tokensOf('one'), tokens]) {
      if (verifier === tokens) assert.notEqual(await verifier.verify(token), undefined);
      now = lastValid;
      assert.notEqual(await verifier.verify(token), undefined);
      now = tooLate;
      assert.equal(await verifier.verify(token), undefined);
      now = new Date('2026-01-01T00:00:00.700Z');
    }
  });

  test('a token of another key is rejected each time, also after a valid one', async () => {
    const foreign = await signed(tokensOf('two'));
    await tokens.verify(await signed());
    assert.equal(await tokens.verify(foreign), undefined);
    assert.equal(await tokens.verify(foreign), undefined);
  });

  test('a token with one changed character is rejected, also after the original was verified', async () => {
    const token = await signed();
    await tokens.verify(token);
    const [header = '', claims = '', signature = ''] = token.split('.');
    const changed = [header, claims, (signature.startsWith('A') ? 'B' : 'A') + signature.slice(1)].join('.');
    assert.equal(await tokens.verify(changed), undefined);
  });
});

test('the cache of verified tokens does not exceed its size', () => {
  const verified = createVerifiedTokens<{ exp: number }>({ now: () => new Date(0) }, 2);
  for (const token of ['a', 'b', 'c']) verified.keep(token, { exp: 1 });
  assert.equal(verified.get('a'), undefined);
  assert.deepEqual(verified.get('c'), { exp: 1 });
});
