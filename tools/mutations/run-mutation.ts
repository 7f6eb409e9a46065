import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Mutation } from './mutation.ts';
import type { TestOutcome } from './print-outcomes.ts';

const printOutcomes = join(import.meta.dirname, 'print-outcomes.ts');
const outputCharacters = 2000;

/**
 * Whether the expression of a mutation is still in its file, exactly once.
 * @returns the problem as text, or undefined
 */
export function describeLostExpression(root: string, { file, expression }: Mutation): string | undefined {
  const path = join(root, file);
  if (!existsSync(path)) return `${file} does not exist. Change the mutation.`;
  const count = readFileSync(path, 'utf8').split(expression).length - 1;
  return count === 1
    ? undefined
    : `${file} must contain the expression exactly once, got ${count} times: ${expression}`;
}

/**
 * Changes the file in a working copy, runs the test, and restores the file.
 * @returns why the test did not fail as it should, or undefined if it did
 */
export async function runMutation(
  folder: string,
  mutation: Mutation,
  signal?: AbortSignal,
): Promise<string | undefined> {
  const lost = describeLostExpression(folder, mutation);
  if (lost !== undefined) return lost;
  const path = join(folder, mutation.file);
  const original = readFileSync(path, 'utf8');
  writeFileSync(
    path,
    original.replace(mutation.expression, () => mutation.replacement),
  );
  try {
    return await runTest(folder, mutation, signal);
  } finally {
    writeFileSync(path, original);
  }
}

async function runTest(
  folder: string,
  { test, reason }: Mutation,
  signal: AbortSignal | undefined,
): Promise<string | undefined> {
  // A nested test run would report to the outer one.
  const { NODE_TEST_CONTEXT: _context, ...env } = process.env;
  const child = spawn(process.execPath, [...process.execArgv, printOutcomes, test.file, test.name], {
    cwd: folder,
    env: { ...env, REDOUBT_TEST_DB: 'pglite' },
    stdio: ['ignore', 'pipe', 'pipe'],
    ...(signal !== undefined && { signal }),
  });
  let [output, errors] = ['', ''];
  child.stdout.setEncoding('utf8').on('data', (text: string) => (output += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (errors += text));
  await once(child, 'close');
  const outcomes = output
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as TestOutcome);
  const outcome = outcomes.find(({ name }) => name === test.name);
  if (outcome === undefined) {
    const all = [...outcomes.map(({ error }) => error ?? ''), errors].join('\n').trim();
    return `${test.file} did not run "${test.name}".\n${all.slice(-outputCharacters)}`;
  }
  if (outcome.isSkipped) return `"${test.name}" was skipped.`;
  if (outcome.error === undefined) return `"${test.name}" passes.`;
  return outcome.error.includes(reason)
    ? undefined
    : `"${test.name}" must fail with "${reason}", got:\n${outcome.error.slice(0, outputCharacters)}`;
}
