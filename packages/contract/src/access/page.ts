import { allRoutes } from '../core/routes.ts';
import type { RouteDescriptor } from '../core/route.ts';
import { ruleText, type AccessRule } from './rule.ts';
import { outcomeOf, subjects, type Outcome } from './subjects.ts';
import { ruleOf } from './table.ts';

const credentials: Readonly<Record<RouteDescriptor['caller'], string>> = {
  anyone: 'none',
  person: 'any',
  member: 'of a workspace',
};

const ruled = (routes: readonly RouteDescriptor[]): [RouteDescriptor, AccessRule][] =>
  routes.flatMap((route): [RouteDescriptor, AccessRule][] => {
    const rule = ruleOf(route.operationId);
    return rule === undefined ? [] : [[route, rule]];
  });

const credentialOf = ({ caller, bearer }: RouteDescriptor): string =>
  bearer === true ? `${credentials[caller]}, a person’s own` : credentials[caller];

const row = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;

const table = (heads: readonly string[], rows: readonly (readonly string[])[]): string =>
  [
    '<!-- prettier-ignore-start -->',
    row(heads),
    row(heads.map(() => '---')),
    ...rows.map(row),
    '<!-- prettier-ignore-end -->',
  ].join('\n');

const shown = (outcome: Outcome): string => (outcome === 'works' ? 'yes' : String(outcome));

const preface = `---
title: Who may make which call
description: Every call of the API, with who may make it and who learns that a thing exists.
sidebar_position: 7
---

Made from the table of rules (\`packages/contract/src/access/table.ts\`), which the checks of the server read; a test
fails when this page is not what the table says, and another makes every call as everybody of the second table.

What belongs to another workspace does not exist (404), for everybody. What somebody is in the workspace (admin, holder
of a permission, admin of a group) counts for people themselves: an API key has what is granted to its groups, an
application the rights on datasets of the person for whom it acts, and neither has anything else. Nobody sees a record
whose label their attributes do not satisfy, admins and owners neither.

All rights on a dataset (read, write, manage) are with its owner, with admins of the workspace, with holders of
manage-datasets, and with the groups to which manage is granted.`;

/** The page for reviewers: every call with its rule, and with what it answers to everybody. */
export const accessPage = (routes: readonly RouteDescriptor[] = allRoutes): string => {
  const all = ruled(routes);
  const rules = all.map(([route, rule]) => [
    `\`${route.operationId}\`<br />${route.method} ${route.path}`,
    credentialOf(route),
    ruleText(rule),
  ]);
  const outcomes = all.map(([route, rule]) => [
    `\`${route.operationId}\``,
    ...subjects.map((subject) => shown(outcomeOf(route, rule, subject))),
  ]);
  return `${[
    preface,
    '## Rules',
    table(['Call', 'Credential', 'Who may'], rules),
    '## Everybody',
    subjects.map(({ name, title }) => `- \`${name}\`: ${title}`).join('\n'),
    'Of lists: `yes` means that the list answers; what is in it is for those by whom it is found, as the rule says.',
    table(['Call', ...subjects.map(({ name }) => name)], outcomes),
  ].join('\n\n')}\n`;
};
