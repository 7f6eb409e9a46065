import { deepEqual, equal, match, ok } from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { finishSite, inlineHashes, listFile } from '@redoubt/site-files';
import { inputsOf } from './inputs.ts';
import { usedOrigins } from './used-origins.ts';

const hash = (text: string): string => `sha256-${createHash('sha256').update(text).digest('base64')}`;
const sorted = (...texts: string[]): string[] => texts.map(hash).toSorted();

test('the policy of a page allows its inline scripts, style elements and style attributes by hash, and skips blocks of data', () => {
  const { scripts, styles } = inlineHashes(`<!doctype html><head><style>a{b:c}</style>
    <script type=application/ld+json>{"data":1}</script><script src=/x.js defer></script></head>
    <body><script>if(a<b&&c)d("&amp;")</script><script type=module>import 1</script>
    <p style="color:red">x</p><p style=color:red>y</p><svg style="width:&quot;1&quot;"></svg>
    <script>if(a<b&&c)d("&amp;")</script></body>`);
  deepEqual(scripts, sorted('if(a<b&&c)d("&amp;")', 'import 1'));
  deepEqual(styles, sorted('a{b:c}', 'color:red', 'width:"1"'));
});

test('a finished site lists its files with their hashes, and is compressed', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'redoubt-finish-'));
  try {
    mkdirSync(join(folder, 'docs/intro'), { recursive: true });
    const page = `<!doctype html><script>1</script>${'<p>text</p>'.repeat(200)}`;
    writeFileSync(join(folder, 'docs/intro/index.html'), page);
    writeFileSync(join(folder, 'small.txt'), 'small');
    writeFileSync(join(folder, 'picture.png'), Buffer.alloc(2000));
    writeFileSync(join(folder, '.hidden'), 'x');
    await finishSite(folder, { inputs: 'abc', baseUrl: '/', origins: {} });
    const first = readFileSync(join(folder, listFile), 'utf8');
    const list = JSON.parse(first) as {
      format: number;
      inputs: string;
      files: Record<string, { etag: string; packed: string[] }>;
      pages: Record<string, unknown>;
    };
    equal(list.format, 1);
    equal(list.inputs, 'abc');
    deepEqual(Object.keys(list.files), ['docs/intro/index.html', 'picture.png', 'small.txt']);
    deepEqual(list.files['docs/intro/index.html']?.packed, ['br', 'gzip']);
    deepEqual(list.files['picture.png']?.packed, []);
    match(list.files['small.txt']?.etag ?? '', /^[\w-]{22}$/);
    deepEqual(list.pages, { 'docs/intro/index.html': { scripts: sorted('1'), styles: [] } });
    const packed = (end: string): Buffer => readFileSync(join(folder, `docs/intro/index.html${end}`));
    equal(brotliDecompressSync(packed('.br')).toString(), page);
    equal(gunzipSync(packed('.gz')).toString(), page);
    await finishSite(folder, { inputs: 'abc', baseUrl: '/', origins: {} });
    equal(readFileSync(join(folder, listFile), 'utf8'), first);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

test('other settings of a build make another site of the same sources', () => {
  const plain = inputsOf({});
  equal(inputsOf({ DOCS_BUILD: 'not a setting', DOCS_URL: '' }), plain);
  ok(inputsOf({ DOCS_URL: 'https://docs.example.org' }) !== plain);
});

test('pages may use outside services only as far as they were built with them', () => {
  deepEqual(usedOrigins({ search: undefined, fontsUrl: undefined }), {});
  const { 'connect-src': search = [], ...fonts } = usedOrigins({
    search: { appId: 'ABC1', apiKey: 'x' },
    fontsUrl: 'https://fonts.googleapis.com/css2?family=Roboto',
  });
  ok(search.includes('https://abc1-dsn.algolia.net') && search.every((origin) => origin.includes('//abc1')));
  deepEqual(fonts, {
    'style-src': ['https://fonts.googleapis.com'],
    'font-src': ['https://fonts.gstatic.com'],
  });
});
