import { errorNames } from '@redoubt/errors';
import { join } from 'node:path';
import type { ErrorMessage } from './collect-messages.ts';

export const errorMessagesPath = join(
  import.meta.dirname,
  '../../apps/docs/docs/reference/error-messages.md',
);

const preface = `---
title: Error messages
description: Every error message of the API, with its error name and HTTP status.
sidebar_position: 12
keywords: [error text, list of errors, exception, 400, 403, 404]
---

This page lists all error messages by error name and HTTP status. It's generated from the source code. Words in braces, such
as \`{field}\`, stand for what you sent or what the server found. \`{got}\` describes what you sent, such as \`the string "A&B"\`.
The list also shows parts that some messages leave out. Messages are for people and may change: in programs, use \`name\` and
\`code\`.

To find out what an error means and what to do about it, see [Handling error codes](/docs/handling-error-codes/).`;

/** Prints a code span. Its fence has more backticks than any sequence of backticks in the text. */
const codeSpan = (text: string): string => {
  const longest = Math.max(0, ...Array.from(text.matchAll(/`+/g), ([ticks]) => ticks.length));
  const fence = '`'.repeat(longest + 1);
  return longest === 0 ? `${fence}${text}${fence}` : `${fence} ${text} ${fence}`;
};

const compareText = (a: string, b: string): number => {
  if (a === b) return 0;
  return a < b ? -1 : 1;
};

/** The page that lists every message, so that a reviewer can read them in one sitting. */
export const renderErrorMessages = (messages: readonly ErrorMessage[]): string => {
  const sections = errorNames.flatMap((name) => {
    const own = messages.filter((message) => message.name === name);
    const codes = [...new Set(own.map(({ code }) => code))].toSorted((a, b) => a - b);
    return codes.map((code) => {
      const texts = own.filter((message) => message.code === code).map(({ message }) => message);
      const lines = texts.toSorted(compareText).map((text) => `- ${codeSpan(text)}`);
      return [`## ${name}, ${code}`, lines.join('\n')].join('\n\n');
    });
  });
  return `${[preface, '<!-- prettier-ignore-start -->', ...sections, '<!-- prettier-ignore-end -->'].join('\n\n')}\n`;
};
