import type { ConnectionAllowed, ConnectionTest } from '@redoubt/contract';
import { RedoubtError } from '@redoubt/errors';
import type { Sources } from '../ingest/index.ts';
import type { Info } from './stored-info.ts';

const maxFound = 20;
const maxNameLength = 300;
/** The longest time that a test waits for a source. */
const timeoutMs = 30_000;

/** Connects to a source, and lists some of what jobs may read. */
export type TestSource = (
  type: string,
  info: Info,
  allowed: ConnectionAllowed | null,
) => Promise<ConnectionTest>;

export const createTestSource =
  (sources: Pick<Sources, 'stored'>): TestSource =>
  async (type, info, allowed) => {
    const kind = sources.stored(type);
    const signal = AbortSignal.timeout(timeoutMs);
    const found: string[] = [];
    try {
      for await (const name of kind.find(info, allowed, signal)) {
        found.push(name.slice(0, maxNameLength));
        if (found.length === maxFound) break;
      }
    } catch (error) {
      if (error instanceof RedoubtError) return { succeeded: false, message: error.message, found: [] };
      if (!signal.aborted) throw error;
      const message = `The source did not respond within ${String(timeoutMs / 1000)} seconds. Check where the connection leads, then test it again.`;
      return { succeeded: false, message, found: [] };
    }
    if (found.length === 0) {
      return {
        succeeded: false,
        message:
          'The source can be reached, and holds nothing that the connection allows. Check what is allowed, and what the account may read.',
        found,
      };
    }
    const atLeast = found.length === maxFound ? 'at least ' : '';
    return { succeeded: true, message: `The source works, and lists ${atLeast}${found.length}.`, found };
  };
