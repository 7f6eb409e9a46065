import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { pythonWith } from '../python.ts';

/** An S3 service by people who did not write ours, in a process of its own. It takes any keys, and none for what
 * everybody may read. */
export interface TestMoto {
  endpoint: string;
  region: string;
  /** Stores an object, and creates its bucket. */
  put(bucket: string, key: string, content: string | Uint8Array): Promise<void>;
  remove(bucket: string, key: string): Promise<void>;
  stop(): Promise<void>;
}

/** What its S3 service needs: its extra for a server brings all others too. */
const packages = ['moto[s3]==5.2.5', 'flask==3.1.2', 'flask-cors==6.0.2'];

const pathOf = (bucket: string, key: string): string =>
  `${bucket}/${key.split('/').map(encodeURIComponent).join('/')}`;

/** Listens on a free port and writes it, because the program of the package does not. */
const program = `
import sys
from moto.moto_server.werkzeug_app import DomainDispatcherApplication, create_backend_app
from werkzeug.serving import make_server
server = make_server("127.0.0.1", 0, DomainDispatcherApplication(create_backend_app), threaded=True)
print(server.server_port, flush=True)
import threading
threading.Thread(target=server.serve_forever, daemon=True).start()
sys.stdin.read()
`;

/** Starts the service on a free port of loopback; a reason if it cannot be installed. It ends with this process. */
export const startMoto = async (): Promise<TestMoto | { missing: string }> => {
  const python = await pythonWith(...packages);
  if ('missing' in python) return python;
  const child = spawn(python.command, ['-c', program], {
    stdio: ['pipe', 'pipe', 'ignore'],
    env: { PATH: process.env['PATH'] ?? '', AWS_ACCESS_KEY_ID: 'none', AWS_SECRET_ACCESS_KEY: 'none' },
  });
  const ended = once(child, 'exit');
  const [said] = (await Promise.race([once(child.stdout, 'data'), ended.then(() => [''])])) as [
    Buffer | string,
  ];
  const port = Number(said.toString());
  if (!(port > 0)) throw new Error('moto did not start.');
  const endpoint = `http://127.0.0.1:${String(port)}`;
  const send = async (method: string, path: string, body?: string | Uint8Array): Promise<void> => {
    const response = await fetch(`${endpoint}/${path}`, {
      method,
      // The service tells S3 from other services by the scope of the signature, which it does not check.
      headers: {
        authorization: 'AWS4-HMAC-SHA256 Credential=none/20260101/us-east-1/s3/aws4_request',
        'x-amz-acl': 'public-read',
        // On a busy machine, moto can close a connection while the next request is sent on it.
        connection: 'close',
      },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : new Uint8Array(body) }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`moto answered ${String(response.status)}: ${text}`);
  };
  const buckets = new Set<string>();
  return {
    endpoint,
    region: 'us-east-1',
    put: async (bucket, key, content) => {
      if (!buckets.has(bucket)) await send('PUT', bucket);
      buckets.add(bucket);
      await send('PUT', pathOf(bucket, key), content);
    },
    remove: (bucket, key) => send('DELETE', pathOf(bucket, key)),
    stop: async () => {
      child.kill('SIGKILL');
      await ended;
    },
  };
};
