import { allRoutes, type OperationId, type RouteDescriptor } from '@redoubt/contract';
import { startTwoWorlds, type TwoWorlds } from '@redoubt/testkit';
import { after, before, describe, test } from 'node:test';
import { runCase } from './run-case.ts';
import { buildScenario, pathLimit, type Scenario } from './scenario.ts';

/** Calls that change something come last, deletes after all others. */
const turnOf = ({ method, operationId }: RouteDescriptor): number => {
  if (operationId === 'queryLucene' || operationId === 'readInSequence') return 0;
  return ['GET', 'POST', 'PATCH', 'DELETE'].indexOf(method);
};

describe('two worlds that differ only in what the asker may not see', () => {
  let worlds: TwoWorlds;
  let scenario: Scenario;
  before(async () => {
    worlds = await startTwoWorlds({ limits: { paths: pathLimit } });
    scenario = await buildScenario(worlds);
  });
  after(() => worlds.close());

  for (const route of allRoutes.toSorted((a, b) => turnOf(a) - turnOf(b))) {
    test(`two worlds: ${route.operationId}`, async () => {
      await runCase(route.operationId as OperationId, worlds.same, scenario);
    });
  }
});
