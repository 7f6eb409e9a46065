import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { findLiteralTexts } from './console-texts.ts';

test('texts between tags and in attributes that people read are found, and other strings are not', () => {
  const source = `const A = () => <Box sx={{ color: 'red' }} id="main" title="Jobs" aria-label={texts.jobs}>
    Two words {count} · {texts.more}
    {isOne ? 'one' : \`\${texts.count} of \${total}\`} {'·'} {name === 'x' && \`\${name}: \${value}\`}
  </Box>;`;
  assert.deepEqual(findLiteralTexts(source), ['1: Jobs', '2: Two words', '3: one', '3: … of …']);
});

test('the texts of the console are in its catalogue', () => {
  const problems = globSync('apps/web/src/**/*.tsx')
    .map((file) => file.replaceAll('\\', '/'))
    .flatMap((file) => findLiteralTexts(readFileSync(file, 'utf8')).map((text) => `${file}:${text}`));
  assert.deepEqual(problems, [], 'move these texts into apps/web/src/text');
});
