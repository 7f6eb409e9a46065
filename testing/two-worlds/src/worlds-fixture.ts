import type { OperationId } from '@redoubt/contract';
import { startTestStripe } from '@redoubt/testkit';
import type { SendToBoth } from '@redoubt/testkit/requests';
import { startTwoWorlds, type TwoWorlds } from '@redoubt/server/testing';
import { buildScenario, pathLimit, type Scenario } from './scenario.ts';

/** Two worlds with the whole scenario. Tests call `close` in the end. */
export interface WorldsFixture {
  readonly worlds: TwoWorlds;
  readonly scenario: Scenario;
  /** Sends requests to both worlds and compares the responses. `name` makes the step names of a test unique. */
  senderFor(name: string): SendToBoth;
  close(): Promise<void>;
}

export const startWorlds = async (): Promise<WorldsFixture> => {
  const stripe = await startTestStripe();
  const worlds = await startTwoWorlds({
    stripe: stripe.settings,
    storeLimits: { maxPaths: pathLimit, splitRecords: 7 },
  });
  return {
    worlds,
    scenario: await buildScenario(worlds),
    senderFor: (name) => {
      let number = 0;
      return (request) => worlds.same(`${name} ${(number += 1)}`, request);
    },
    close: async () => {
      await worlds.close();
      await stripe.close();
    },
  };
};

/**
 * Calls that read records or files and whose cases write nothing. The record engine or a parser alone makes their
 * responses: the metadata database only says who may read. So one metadata engine is enough for them, and they need not
 * follow other cases.
 */
export const readCalls: ReadonlySet<OperationId> = new Set<OperationId>([
  'getDatasetSchema',
  'getSplits',
  'listValues',
  'previewIngest',
  'previewUpload',
  'profileFields',
  'query',
  'queryLucene',
  'readInSequence',
  'readRange',
  'readRows',
  'summarizeLucene',
  'summarizeSql',
]);
