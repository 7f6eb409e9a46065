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
 * Calls whose responses the record engine, a parser or a viewer of pages makes: the metadata database only says who may
 * read. So one metadata engine is enough for them. Their cases need no other case; those that read come first.
 */
export const recordCalls: ReadonlySet<OperationId> = new Set<OperationId>([
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
  'queryDocuments',
  'queryDocumentsLucene',
  'serveMedia',
  'getDocumentPage',
  'getMediaFile',
  'createIndex',
  'manageIndexes',
  'patchIndex',
  'deleteIndex',
]);
