import { errorCatalogue, errorNames, type ErrorName } from '@redoubt/errors';
import { commonMessages, type CommonMessage } from './common-messages.ts';
import { errorGuides, type ErrorExample } from './error-guide.ts';
import { code, table } from './markdown.ts';

const firstSentence = (text: string): string => /^.+?[.](?=\s|$)/.exec(text)?.[0] ?? text;

const statusesOf = (name: ErrorName): string => errorCatalogue[name].join(', ');

const exampleText = (name: ErrorName, { status, command, message, ...more }: ErrorExample): string =>
  [
    ['```bash status=' + status, command, '```'].join('\n'),
    ['```json answer', JSON.stringify({ name, message, code: status, ...more }, undefined, 2), '```'].join(
      '\n',
    ),
  ].join('\n\n');

const messageText = ({ title, status, message, cause, remedy }: CommonMessage): string =>
  [`### ${title}`, `${status}: ${code(message)}`, `**Cause.** ${cause}`, `**What to do.** ${remedy}`].join(
    '\n\n',
  );

const entry = (name: ErrorName): string => {
  const { when, what, examples = [], message } = errorGuides[name];
  return [
    `## ${name}`,
    `Status: ${statusesOf(name)}.`,
    `**When.** ${when}`,
    `**What to do.** ${what}`,
    ...(message === undefined ? [] : [`Its message: ${code(message)}`]),
    ...examples.map((example) => exampleText(name, example)),
    ...commonMessages.filter(({ error }) => error === name).map(messageText),
  ].join('\n\n');
};

/** The error catalogue: a table, then for each error when it occurs, what to do, and its common messages. */
export const errorSection = (): string =>
  [
    table(
      ['Name', 'Status', 'When'],
      errorNames.map((name) => [
        `[${code(name)}](#${name.toLowerCase()})`,
        statusesOf(name),
        firstSentence(errorGuides[name].when),
      ]),
    ),
    ...errorNames.map(entry),
  ].join('\n\n');
