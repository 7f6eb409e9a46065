import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { endWithParent } from '../end-with-parent.ts';
import { freePorts, isListening } from '../loopback-ports.ts';
import { createS3Peer, type TestS3Peer } from './s3-peer.ts';
import { findVersitygw } from './versitygw-program.ts';

const keys = { accessKeyId: 'OWNER-OF-THE-BUCKETS', secretAccessKey: 'secret/key+of=the-buckets' };

/** Starts versitygw on a free port of loopback; a reason if it cannot be built. It ends with this process. */
export const startVersitygw = async (): Promise<TestS3Peer | { missing: string }> => {
  const found = await findVersitygw();
  if ('missing' in found) return found;
  const folder = await mkdtemp(join(tmpdir(), 'redoubt-versitygw-'));
  const make = async (name: string): Promise<string> => {
    await mkdir(join(folder, name));
    return join(folder, name);
  };
  const [buckets, attributes, accounts] = [
    await make('buckets'),
    await make('attributes'),
    await make('accounts'),
  ];
  const [port = 0] = await freePorts(1);
  const region = 'us-east-1';
  const [command, args] = endWithParent(found.program, [
    '--quiet',
    `--port=127.0.0.1:${String(port)}`,
    `--region=${region}`,
    // Without a folder of accounts, unknown keys get another response than Amazon's.
    `--iam-dir=${accounts}`,
    'posix',
    // Not every file system of temporary folders has attributes of files.
    `--sidecar=${attributes}`,
    buckets,
  ]);
  const child = spawn(command, args, {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      PATH: process.env['PATH'] ?? '',
      ROOT_ACCESS_KEY: keys.accessKeyId,
      ROOT_SECRET_KEY: keys.secretAccessKey,
    },
  });
  const ended = once(child, 'exit');
  const kill = (): void => void child.kill('SIGKILL');
  process.once('exit', kill);
  let said = '';
  const read = (text: Buffer): void => {
    said = `${said}${text.toString()}`.slice(-4000);
  };
  child.stdout.on('data', read);
  child.stderr.on('data', read);
  while (!(await isListening(port))) {
    if (child.exitCode !== null) throw new Error(`versitygw did not start:\n${said}`);
    await sleep(50);
  }
  return createS3Peer({
    endpoint: `http://127.0.0.1:${String(port)}`,
    region,
    keys,
    checksSignatures: true,
    stop: async () => {
      process.off('exit', kill);
      kill();
      await ended;
      await rm(folder, { recursive: true, force: true });
    },
  });
};
