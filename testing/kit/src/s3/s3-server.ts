import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** An S3 service with one empty bucket, in a separate process. */
export interface TestS3 {
  endpoint: string;
  region: string;
  credentials: { accessKeyId: string; secretAccessKey: string };
  bucket: string;
  /** Kills the service, and starts it again with its data. */
  restart(): Promise<void>;
  stop(): Promise<void>;
}

const program = fileURLToPath(new URL('serve.ts', import.meta.url));
/** The only account of the service. */
const credentials = { accessKeyId: 'S3RVER', secretAccessKey: 'S3RVER' };

interface Running {
  child: ChildProcess;
  port: string;
  ended: Promise<unknown>;
}

const serve = async (folder: string, bucket: string, requestedPort: string): Promise<Running> => {
  const child = fork(program, [folder, bucket, requestedPort], {
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
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
  return { child, port: /\d+/.exec(said)?.[0] ?? '', ended };
};

/** Starts the service on a free port of loopback. It ends when this process ends. */
export async function startTestS3(): Promise<TestS3> {
  const folder = mkdtempSync(join(tmpdir(), 'redoubt-s3-'));
  const bucket = 'redoubt-test';
  let running = await serve(folder, bucket, '0');
  process.on('exit', () => {
    running.child.kill('SIGKILL');
    rmSync(folder, { recursive: true, force: true });
  });
  const kill = async (): Promise<void> => {
    running.child.kill('SIGKILL');
    await running.ended;
  };
  return {
    endpoint: `http://127.0.0.1:${running.port}`,
    region: 'us-east-1',
    credentials,
    bucket,
    restart: async () => {
      await kill();
      running = await serve(folder, bucket, running.port);
    },
    stop: async () => {
      await kill();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
