import { luceneLimits } from '../cursor.ts';
import { luceneExamples, unsupportedLucene, type LuceneExample } from './lucene-examples.ts';

const counted = (count: number): string => count.toLocaleString('en-US');

/** An example block of a documentation page. The tests of the pages run it against the demo's navigation aids. */
const block = (options: string, text: string): string => ['```lucene' + options, text, '```'].join('\n');

const constructText = ({ syntax, finds, example }: LuceneExample): string =>
  `\`${syntax}\`: ${finds}\n\n${block('', example)}`;

/** Renders the generated part of the Lucene reference: supported syntax, unsupported syntax and limits. */
export const renderLuceneReference = (): string =>
  [
    ...luceneExamples.flatMap(({ title, constructs }) => [`## ${title}`, ...constructs.map(constructText)]),
    '## What is not supported',
    'The following are rejected with a LuceneParseError (400). The message has the position and what was expected there.',
    ...unsupportedLucene.flatMap(({ text, example }) => [text, block(' error=LuceneParseError', example)]),
    '## Limits',
    [
      `- An expression has at most ${counted(luceneLimits.length)} characters and ${counted(luceneLimits.clauses)} conditions.`,
      `- Groups can be nested ${counted(luceneLimits.depth)} levels deep.`,
      `- One word, phrase or bound has at most ${counted(luceneLimits.term)} characters.`,
      `- All regular expressions together have at most ${counted(luceneLimits.regexSize)} characters, after counted repetitions are expanded.`,
    ].join('\n'),
  ].join('\n\n');
