import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createLogger } from './logger.ts';
import { readableLines } from './readable-lines.ts';

test('on a terminal, the log is lines of text with the time, level, message and details', () => {
  const lines: string[] = [];
  const logger = createLogger(
    'warn',
    readableLines((line) => lines.push(line)),
  );
  logger.info('a request');
  logger.warn({ part: 'mail', tries: 3 }, 'the mail server does not respond');
  logger.error({ err: new TypeError('with a secret') }, 'a job failed');
  assert.equal(lines.length, 2);
  assert.match(
    lines[0] ?? '',
    /^\d\d:\d\d:\d\d warning: the mail server does not respond part=mail tries=3\n$/,
  );
  assert.match(lines[1] ?? '', /^\d\d:\d\d:\d\d error: a job failed err=\{"type":"TypeError",.*\}\n$/);
  assert.ok(!lines.join('').includes('secret'));
});
