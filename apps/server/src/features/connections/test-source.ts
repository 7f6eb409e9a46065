import type { ConnectionAllowed, ConnectionTest } from '@redoubt/contract';
import { RedoubtError, tooMany } from '@redoubt/errors';
import type { Member } from '../../platform/auth/actor.ts';
import { createPersonShares, withShare } from '../../platform/http/protection/person-shares.ts';
import type { Sources } from '../ingest/index.ts';
import type { Info } from './stored-info.ts';

const maxFound = 20;
const maxNameLength = 300;
/** The longest time that a test waits for a source. */
const timeoutMs = 30_000;
/** The limits on concurrent tests, for one person and for the server. */
const limits = { perPerson: 2, total: 6 };
const tooManyOf = (exhausted: 'person' | 'server'): Error =>
  tooMany(
    exhausted === 'person'
      ? 'You have too many tests of connections running. Wait until one of them has ended, then send the request again.'
      : 'Too many connections are being tested. Send the request again in a few seconds.',
    2,
  );

/**
 * Connects to a source, and lists some of what jobs may read.
 * @param disconnected aborts when the client disconnects, which ends the test
 * @throws ForbiddenError 429 if too many tests run
 */
export type TestSource = (
  actor: Pick<Member, 'accountId'>,
  type: string,
  info: Info,
  allowed: ConnectionAllowed | null,
  disconnected: AbortSignal,
) => Promise<ConnectionTest>;

export const createTestSource = (sources: Pick<Sources, 'stored'>): TestSource => {
  const shares = createPersonShares(limits);

  const testNow = async (
    type: string,
    info: Info,
    allowed: ConnectionAllowed | null,
    disconnected: AbortSignal,
  ): Promise<ConnectionTest> => {
    const kind = sources.stored(type);
    const signal = AbortSignal.any([disconnected, AbortSignal.timeout(timeoutMs)]);
    const found: string[] = [];
    try {
      for await (const name of kind.find(info, allowed, signal)) {
        found.push(name.slice(0, maxNameLength));
        if (found.length === maxFound) break;
      }
    } catch (error) {
      if (error instanceof RedoubtError) return { succeeded: false, message: error.message, found: [] };
      if (!signal.aborted || disconnected.aborted) throw error;
      const message = `The source did not respond within ${String(timeoutMs / 1000)} seconds. Check where the connection leads, then test it again.`;
      return { succeeded: false, message, found: [] };
    }
    if (found.length === 0) {
      // A bucket may fill later.
      return {
        succeeded: true,
        message:
          'The source can be reached, and lists nothing that the connection allows. If you expect something, check what is allowed, and what the account may read.',
        found,
      };
    }
    const atLeast = found.length === maxFound ? 'at least ' : '';
    return { succeeded: true, message: `The source works, and lists ${atLeast}${found.length}.`, found };
  };

  return ({ accountId }, ...source) => withShare(shares, accountId, tooManyOf, () => testNow(...source));
};
