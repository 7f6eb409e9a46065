import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import { allRoutes } from '../core/routes.ts';
import { permissionCodes } from '../permission-codes.ts';
import { accessPageFile } from './page-file.ts';
import { accessPage } from './page.ts';
import { decide, ruleText, type AccessRule, type Power } from './rule.ts';
import { outcomeOf, subjects } from './subjects.ts';
import { accessRules, ruleOf } from './table.ts';

const subject = (name: string) => subjects.find((one) => one.name === name) ?? assert.fail(name);

describe('the table of rules', () => {
  test('the page about who may make which call says what the table says', () => {
    assert.equal(
      readFileSync(accessPageFile, 'utf8'),
      accessPage(),
      'Run: npm run access -w @redoubt/contract',
    );
  });

  test('every call has its line in the table of rules, and no line is of a call that is not', () => {
    const names = allRoutes.map(({ operationId }) => operationId).toSorted();
    assert.deepEqual(Object.keys(accessRules).toSorted(), names);
  });

  test('a call without a credential says in the table what strangers may, every other call nothing', () => {
    for (const { operationId, caller } of allRoutes) {
      assert.equal(ruleOf(operationId)?.may.includes('stranger'), caller === 'anyone', operationId);
    }
  });

  test('every permission opens some call, and no call is closed to everybody', () => {
    const rules: readonly AccessRule[] = Object.values(accessRules);
    const powers = new Set<Power>(rules.flatMap(({ may }) => may));
    for (const code of permissionCodes) {
      assert.ok(code === 'manage-datasets' || powers.has(code), code);
    }
    for (const [name, { may }] of Object.entries(accessRules)) assert.notEqual(may.length, 0, name);
  });

  test('whoever may make a call knows of what it is about', () => {
    for (const [name, { may, sees }] of Object.entries(accessRules)) {
      const unaware = subjects.filter(
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
      const rule = ruleOf(route.operationId) ?? assert.fail(route.operationId);
      const outcomes = ['key', 'mls', 'sls'].map((name) => outcomeOf(route, rule, subject(name)));
      const powers = new Set([...rule.may, ...(rule.sees ?? [])]);
      const byStanding = [...powers].every((power) => power === 'admin' || power.startsWith('manage-'));
      if (byStanding) for (const outcome of outcomes) assert.notEqual(outcome, 'works', route.operationId);
    }
  });

  test('a line is decided by what somebody is: they may, are refused, or do not learn that it exists', () => {
    const rule: AccessRule = { may: ['admin'], sees: ['self'], note: 'Once a day.' };
    assert.equal(decide(rule, new Set(['admin'])), 'allowed');
    assert.equal(decide(rule, new Set(['self'])), 'forbidden');
    assert.equal(decide(rule, new Set(['manage-users'])), 'hidden');
    assert.equal(decide({ may: ['admin'] }, new Set(['everyone'])), 'forbidden');
    assert.equal(
      ruleText(rule),
      'Admins of the workspace. 403 for the person concerned. 404 for everyone else. Once a day.',
    );
  });
});
