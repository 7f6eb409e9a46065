import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** An S3 service with one empty bucket, in a process of its own. */
export interface TestS3 {
  endpoint: string;
  region: string;
  credentials: { accessKeyId: string; secretAccessKey: string };
  bucket: string;
  stop(): Promise<void>;
}

const program = fileURLToPath(new URL('serve.ts', import.meta.url));
/** The one account that the service knows. */
const credentials = { accessKeyId: 'S3RVER', secretAccessKey: 'S3RVER' };

/** Starts the service on a free port of loopback; it ends with this process. */
export async function startTestS3(): Promise<TestS3> {
  const folder = mkdtempSync(join(tmpdir(), 'redoubt-s3-'));
  const bucket = 'redoubt-test';
  const child = fork(program, [folder, bucket], { stdio: ['ignore', 'pipe', 'inherit', 'ipc'] });
  process.on('exit', () => {
    child.kill('SIGKILL');
    rmSync(folder, { recursive: true, force: true });
  });
  const ended = once(child, 'exit');
  let said = '';
  await new Promise<void>((resolve, reject) => {
    child.stdout?.on('data', (chunk: Buffer) => {
      said += chunk.toString();
      if (said.includes('\n')) resolve();
    });
    child.on('exit', () => reject(new Error('The S3 service of the tests did not start.')));
  });
  return {
    endpoint: `http://127.0.0.1:${/\d+/.exec(said)?.[0] ?? ''}`,
    region: 'us-east-1',
    credentials,
    bucket,
    stop: async () => {
      child.kill('SIGKILL');
      await ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
