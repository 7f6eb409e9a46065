import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import { allRoutes } from '../core/routes.ts';
import { permissionCodes } from '../permission-codes.ts';
import { accessPagePath } from './access-page-path.ts';
import { renderAccessPage } from './render-access-page.ts';
import { evaluateRule, describeRule, type AccessRule, type ActorClass } from './access-rule.ts';
import { expectedStatus, actorKinds } from './actor-kinds.ts';
import { accessRules, findAccessRule } from './access-rules.ts';

const subject = (name: string) => actorKinds.find((one) => one.name === name) ?? assert.fail(name);

describe('the table of rules', () => {
  test('the page about who may make which call says what the table says', () => {
    assert.equal(
      readFileSync(accessPagePath, 'utf8'),
      renderAccessPage(),
      'Run: npm run access -w @redoubt/contract',
    );
  });

  test('every call has its line in the table of rules, and no line is of a call that is not', () => {
    const names = allRoutes.map(({ operationId }) => operationId).toSorted();
    assert.deepEqual(Object.keys(accessRules).toSorted(), names);
  });

  test('a call without a credential says in the table what strangers may, every other call nothing', () => {
    for (const { operationId, caller } of allRoutes) {
      assert.equal(findAccessRule(operationId)?.may.includes('stranger'), caller === 'anyone', operationId);
    }
  });

  test('every permission opens some call, and no call is closed to everybody', () => {
    const rules: readonly AccessRule[] = Object.values(accessRules);
    const powers = new Set<ActorClass>(rules.flatMap(({ may }) => may));
    for (const code of permissionCodes) {
      assert.ok(code === 'manage-datasets' || powers.has(code), code);
    }
    for (const [name, { may }] of Object.entries(accessRules)) assert.notEqual(may.length, 0, name);
  });

  test('whoever may make a call knows of what it is about', () => {
    for (const [name, { may, sees }] of Object.entries(accessRules)) {
      const unaware = actorKinds.filter(
        ({ powers }) =>
          sees !== undefined &&
          may.some((power) => power !== 'everyone' && powers.has(power)) &&
          !sees.some((power) => powers.has(power)),
      );
      assert.deepEqual(
        unaware.map((one) => one.name),
        [],
        name,
      );
    }
  });

  test('what one is in the workspace counts for no key and no application', () => {
    for (const route of allRoutes) {
      const rule = findAccessRule(route.operationId) ?? assert.fail(route.operationId);
      const outcomes = ['key', 'mls', 'sls'].map((name) => expectedStatus(route, rule, subject(name)));
      const powers = new Set([...rule.may, ...(rule.sees ?? [])]);
      const byStanding = [...powers].every((power) => power === 'admin' || power.startsWith('manage-'));
      if (byStanding) for (const outcome of outcomes) assert.notEqual(outcome, 'works', route.operationId);
    }
  });

  test('a line is decided by what somebody is: they may, are refused, or do not learn that it exists', () => {
    const rule: AccessRule = { may: ['admin'], sees: ['self'], note: 'Once a day.' };
    assert.equal(evaluateRule(rule, new Set(['admin'])), 'allowed');
    assert.equal(evaluateRule(rule, new Set(['self'])), 'forbidden');
    assert.equal(evaluateRule(rule, new Set(['manage-users'])), 'hidden');
    assert.equal(evaluateRule({ may: ['admin'] }, new Set(['everyone'])), 'forbidden');
    assert.equal(
      describeRule(rule),
      'Admins of the workspace. 403 for the person concerned. 404 for everyone else. Once a day.',
    );
  });
});
