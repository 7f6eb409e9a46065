import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { pythonWith } from '../python.ts';
import { createS3Peer, type TestS3Peer } from './s3-peer.ts';

/** What its S3 service needs: its extra for a server brings all others too. */
const packages = ['moto[s3]==5.2.5', 'flask==3.1.2', 'flask-cors==6.0.2'];

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

/** Starts moto on a free port of loopback; a reason if it cannot be installed. It ends with this process. */
export const startMoto = async (): Promise<TestS3Peer | { missing: string }> => {
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
  return createS3Peer({
    endpoint: `http://127.0.0.1:${String(port)}`,
    region: 'us-east-1',
    keys: { accessKeyId: 'none', secretAccessKey: 'none' },
    checksSignatures: false,
    stop: async () => {
      child.kill('SIGKILL');
      await ended;
    },
  });
};
