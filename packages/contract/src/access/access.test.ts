/* Shows: A-access-table, A-access-standing */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import { allRoutes } from '../core/routes.ts';
import { permissionCodes } from '../permission-codes.ts';
import { renderAccessPage, accessPagePath } from './render-access-page.ts';
import { evaluateRule, describeRule, type AccessRule, type ActorClass } from './access-rule.ts';
import { expectedStatus, actorKinds } from './actor-kinds.ts';
import { accessRules, findAccessRule } from './access-rules.ts';

const actorKindOf = (name: string) => actorKinds.find((kind) => kind.name === name) ?? assert.fail(name);

describe('the table of rules', () => {
  test('the page of access rules matches the table of rules', () => {
    assert.equal(
      readFileSync(accessPagePath, 'utf8'),
      renderAccessPage(),
      'Run: npm run access -w @redoubt/contract',
    );
  });

  test('every call has exactly one access rule', () => {
    const names = allRoutes.map(({ operationId }) => operationId).toSorted();
    assert.deepEqual(Object.keys(accessRules).toSorted(), names);
  });

  test('only calls without a credential name strangers in their rule', () => {
    for (const { operationId, caller } of allRoutes) {
      assert.equal(findAccessRule(operationId)?.may.includes('stranger'), caller === 'anyone', operationId);
    }
  });

  test('every permission opens a call, and every call is open to someone', () => {
    const rules: readonly AccessRule[] = Object.values(accessRules);
    const classes = new Set<ActorClass>(rules.flatMap(({ may }) => may));
    for (const code of permissionCodes) {
      assert.ok(code === 'manage-datasets' || classes.has(code), code);
    }
    for (const [name, { may }] of Object.entries(accessRules)) assert.notEqual(may.length, 0, name);
  });

  test('actors who may make a call can see its object', () => {
    for (const [name, { may, sees }] of Object.entries(accessRules)) {
      const blind = actorKinds.filter(
        ({ classes }) =>
          sees !== undefined &&
          may.some((actorClass) => actorClass !== 'everyone' && classes.has(actorClass)) &&
          !sees.some((actorClass) => classes.has(actorClass)),
      );
      assert.deepEqual(
        blind.map((kind) => kind.name),
        [],
        name,
      );
    }
  });

  test('privileges of a person do not count for API keys and applications', () => {
    for (const route of allRoutes) {
      const rule = findAccessRule(route.operationId) ?? assert.fail(route.operationId);
      const outcomes = ['key', 'mls', 'sls'].map((name) => expectedStatus(route, rule, actorKindOf(name)));
      const classes = new Set([...rule.may, ...(rule.sees ?? [])]);
      const needsPrivilege = [...classes].every(
        (actorClass) => actorClass === 'admin' || actorClass.startsWith('manage-'),
      );
      if (needsPrivilege)
        for (const outcome of outcomes) assert.notEqual(outcome, 'works', route.operationId);
    }
  });

  test('a rule allows, forbids or hides by the classes of the actor', () => {
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
