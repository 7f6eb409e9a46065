import { allRoutes } from '../core/routes.ts';
import type { RouteDescriptor } from '../core/route.ts';
import { describeRule, type AccessRule } from './access-rule.ts';
import { expectedStatus, actorKinds, type ExpectedStatus } from './actor-kinds.ts';
import { findAccessRule } from './access-rules.ts';
import { join } from 'node:path';

/** The path of the generated page of access rules. */
export const accessPagePath = join(
  import.meta.dirname,
  '../../../../apps/docs/docs/reference/access-rules.md',
);

const credentials: Readonly<Record<RouteDescriptor['caller'], string>> = {
  anyone: 'none',
  person: 'any',
  member: 'for a workspace',
};

const withRules = (routes: readonly RouteDescriptor[]): [RouteDescriptor, AccessRule][] =>
  routes.flatMap((route): [RouteDescriptor, AccessRule][] => {
    const rule = findAccessRule(route.operationId);
    return rule === undefined ? [] : [[route, rule]];
  });

const credentialOf = ({ caller, bearer }: RouteDescriptor): string =>
  bearer === true ? `${credentials[caller]}, session only` : credentials[caller];

const row = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;

const table = (heads: readonly string[], rows: readonly (readonly string[])[]): string =>
  [
    '<!-- prettier-ignore-start -->',
    row(heads),
    row(heads.map(() => '---')),
    ...rows.map(row),
    '<!-- prettier-ignore-end -->',
  ].join('\n');

const outcomes: readonly ExpectedStatus[] = ['works', 401, 403, 404];

/**
 * One table cell for each outcome, with the requesters that get it. The largest group is written as "everyone else", so
 * that the others stand out.
 */
const outcomeCells = (route: RouteDescriptor, rule: AccessRule): string[] => {
  const groups = outcomes.map((outcome) =>
    actorKinds
      .filter((actorKind) => expectedStatus(route, rule, actorKind) === outcome)
      .map(({ name }) => name),
  );
  const largestSize = Math.max(...groups.map(({ length }) => length));
  const largest = groups.findIndex(({ length }) => length === largestSize);
  return groups.map((names, index) => {
    if (index === largest) return largestSize === actorKinds.length ? 'everyone' : 'everyone else';
    return names.map((name) => `\`${name}\``).join(', ');
  });
};

const preface = `---
title: Who may make which call
description: Every call of the API, who may make it, and what everyone else gets.
sidebar_position: 7
---

The server reads these rules from a table (\`packages/contract/src/access/access-rules.ts\`), and this page is generated from the
same table. A test makes every call as each kind of caller and compares the result with this page.

- **Other workspaces don't exist.** Objects of other workspaces return 404, for everyone.
- **Roles belong to people.** Being an admin of the workspace or of a group, or holding a permission, counts only in a person's own session.
  An API key has the rights that its groups are granted. An application has the dataset rights of the person it acts for.
- **Labels bind everyone.** Nobody sees a record whose label they don't satisfy, admins and owners included.
- **Full rights on a dataset** (read, write, manage) belong to its owner, to admins of the workspace, to holders of
  \`manage-datasets\`, and to groups that are granted manage.`;

/** The page of access rules: every call with its rule, and its outcome for each kind of requester. */
export const renderAccessPage = (routes: readonly RouteDescriptor[] = allRoutes): string => {
  const rulesByRoute = withRules(routes);
  const rules = rulesByRoute.map(([route, rule]) => [
    `\`${route.operationId}\`<br />${route.method} ${route.path}`,
    credentialOf(route),
    describeRule(rule),
  ]);
  const outcomeRows = rulesByRoute.map(([route, rule]) => [
    `\`${route.operationId}\``,
    ...outcomeCells(route, rule),
  ]);
  return `${[
    preface,
    '## Rules',
    table(['Call', 'Credential', 'Who may'], rules),
    '## What each kind of caller gets',
    actorKinds.map(({ name, title }) => `- \`${name}\`: ${title}`).join('\n'),
    'A list that works for a caller shows only the entries that are visible to them under the rules above.',
    table(['Call', 'Works for', '401', '403', '404'], outcomeRows),
  ].join('\n\n')}\n`;
};
