import { luceneLimits } from '../cursor.ts';
import { luceneExamples, unsupportedLucene, type LuceneExample } from './lucene-examples.ts';

const counted = (count: number): string => count.toLocaleString('en-US');

/** An example as documentation pages have them; each is run against the demo's navigation aids. */
const block = (marks: string, text: string): string => ['```lucene' + marks, text, '```'].join('\n');

const constructText = ({ syntax, finds, example }: LuceneExample): string =>
  `\`${syntax}\`: ${finds}\n\n${block('', example)}`;

/** The part of the Lucene reference that is made out of the parser: what it reads, what it refuses, and its limits. */
export const renderLuceneReference = (): string =>
  [
    ...luceneExamples.flatMap(({ title, constructs }) => [`## ${title}`, ...constructs.map(constructText)]),
    '## What is refused',
    'Each of these is answered LuceneParseError (400), which says at which character what was expected.',
    ...unsupportedLucene.flatMap(({ text, example }) => [text, block(' error=LuceneParseError', example)]),
    '## Limits',
    [
      `- An expression has at most ${counted(luceneLimits.length)} characters and ${counted(luceneLimits.clauses)} conditions.`,
      `- Groups stand at most ${counted(luceneLimits.depth)} deep inside each other.`,
      `- One word, phrase or bound has at most ${counted(luceneLimits.term)} characters.`,
      `- All regular expressions together have at most ${counted(luceneLimits.regexSize)} characters, after counted repetitions are written out.`,
    ].join('\n'),
  ].join('\n\n');
