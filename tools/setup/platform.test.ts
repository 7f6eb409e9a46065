/* Shows: A-platform */
import assert from 'node:assert/strict';
import { test } from 'node:test';

interface Platform {
  readonly name: string;
  readonly node: string;
  readonly engine: string;
}

const module = new URL('platform.mjs', import.meta.url).href;
const { thisPlatform } = (await import(module)) as {
  thisPlatform: (os: string, cpu: string, musl: boolean) => Platform;
};

test('the error for an unsupported platform is one line that says what to do', () => {
  for (const [os, cpu, musl, advice] of [
    ['win32', 'x64', false, /not built for win32-x64\. .*WSL 2/],
    ['linux', 'ia32', false, /not built for linux-ia32\. Use Linux or macOS/],
    ['linux', 'x64', true, /musl \(Alpine Linux\)\. Use a Linux with glibc/],
  ] as const) {
    assert.throws(
      () => thisPlatform(os, cpu, musl),
      (error: Error) => advice.test(error.message) && !error.message.includes('\n'),
    );
  }
});

test('each platform has an exact Node.js 24 version and its own record engine', () => {
  for (const name of ['linux-x64', 'linux-arm64', 'darwin-x64', 'darwin-arm64']) {
    const platform = thisPlatform(...(name.split('-') as [string, string]), false);
    assert.match(platform.node, new RegExp(`^node-(bin-)?${name}@24\\.\\d+\\.\\d+$`));
    assert.ok(platform.engine.startsWith(`@chdb/lib-${name}`));
  }
});
