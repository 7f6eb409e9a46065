import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { test } from 'node:test';
import { parseCpuList, coresForLane } from './core-assignment.ts';

test('a list of cores is parsed with its ranges', () => {
  assert.deepEqual(parseCpuList('0'), [0]);
  assert.deepEqual(parseCpuList('0-2,5,7-8'), [0, 1, 2, 5, 7, 8]);
});

test('a process and its threads stay on their share of the cores', () => {
  const { execArgv, env } = coresForLane(0, availableParallelism());
  const script = `
    const { availableParallelism } = require('node:os');
    const worker = new (require('node:worker_threads').Worker)(
      'require("node:worker_threads").parentPort.postMessage(require("node:os").availableParallelism())', { eval: true });
    worker.once('message', (threads) => console.log(availableParallelism(), threads));`;
  const { stdout, stderr } = spawnSync(process.execPath, [...execArgv, '--eval', script], {
    env: { ...process.env, ...env },
    encoding: 'utf8',
  });
  assert.equal(
    stdout,
    execArgv.length === 0 ? `${availableParallelism()} ${availableParallelism()}\n` : '1 1\n',
    stderr,
  );
});

const sharesOf = (lanes: number): (string | undefined)[] =>
  Array.from({ length: lanes }, (_, lane) => coresForLane(lane, lanes).env['REDOUBT_TEST_CORES']);

test('lanes share all cores; with more lanes than cores, several lanes use the same core', () => {
  const cores = availableParallelism();
  const each = sharesOf(cores);
  if (cores === 1) {
    assert.deepEqual(sharesOf(2), [undefined, undefined]);
    return;
  }
  assert.equal(new Set(each).size, cores);
  assert.deepEqual(sharesOf(2 * cores), [...each, ...each]);
  assert.equal(sharesOf(1)[0], each.join(','));
});
