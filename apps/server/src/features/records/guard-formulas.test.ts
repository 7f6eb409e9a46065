import assert from 'node:assert/strict';
import { test } from 'node:test';
import { guardFormulas } from './guard-formulas.ts';

const guarded = (csv: string, size: number): string => {
  const guard = guardFormulas();
  const bytes = Buffer.from(csv);
  const chunks: Buffer[] = [];
  for (let at = 0; at < bytes.length; at += size) chunks.push(guard(bytes.subarray(at, at + size)));
  return Buffer.concat(chunks).toString();
};

const cases: readonly [csv: string, expected: string][] = [
  ['"=1+1"\r\n', '"\'=1+1"\r\n'],
  ['"+1","-1","@a","\tx","\rx"\r\n', '"\'+1","\'-1","\'@a","\'\tx","\'\rx"\r\n'],
  ['-5,-0.5,1\r\n', '-5,-0.5,1\r\n'],
  ['"a=1","","a"",=1"\r\n"=2"', '"a=1","","a"",=1"\r\n"\'=2"'],
  ['"""=1","a\n=1",\n"=ö"\n', '"""=1","a\n\'=1",\n"\'=ö"\n'],
  ['"",-1,"-"\r\n', '"",-1,"\'-"\r\n'],
  ['"x;=A1","x;\t+1;-2"\r\n', '"x;\'=A1","x;\t\'+1;\'-2"\r\n'],
  ['"a\r\n@b","a\r-1\t=2"\n', '"a\r\n\'@b","a\r\'-1\t\'=2"\n'],
  ['"a;""=1","a;""""=1","a""=1"\n', '"a;""\'=1","a;""""\'=1","a""=1"\n'],
  ['";=1","\t=1","x;",-1,"a; b = c"\n', '";\'=1","\'\t\'=1","x;",-1,"a; b = c"\n'],
  ['"x;"\r\n-1,"y;"\n"a=1"\n', '"x;"\r\n-1,"y;"\n"a=1"\n'],
];

for (const [csv, expected] of cases) {
  test(`the guarded form of ${JSON.stringify(csv)} is the same for all sizes of chunks`, () => {
    for (const size of [1, 2, 3, 1000]) assert.equal(guarded(csv, size), expected);
  });
}
