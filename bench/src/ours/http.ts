import { Agent, request, type IncomingMessage } from 'node:http';
import { openRawConnection, type RawConnection } from './raw-connection.ts';
import { readRaw, type RawRead } from './raw-reader.ts';

/** A client that keeps its connections open, like a busy one. */
export interface HttpClient {
  /** Sends a POST by a `RawConnection`. @returns the body. @throws Error for any status but 2xx */
  post(path: string, body: Uint8Array | string): Promise<Buffer>;
  get(path: string): Promise<Buffer>;
  /** Reads a response and discards it, on its own connection; see `readRaw`. */
  drain(path: string, body: string, onBytes: RawRead['onBytes']): Promise<void>;
  close(): void;
}

export function createHttpClient(
  url: string,
  token: string,
  connections: number,
  further: Readonly<Record<string, string>> = {},
): HttpClient {
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  const headers = {
    ...further,
    authorization: `Bearer ${token}`,
    'content-type': 'application/json',
  };

  const idle: RawConnection[] = [];

  const post = async (path: string, body: Uint8Array | string): Promise<Buffer> => {
    let connection = idle.pop();
    while (connection?.isOpen() === false) connection = idle.pop();
    connection ??= openRawConnection(url, headers);
    try {
      return await connection.post(path, body);
    } finally {
      idle.push(connection);
    }
  };

  const get = async (path: string): Promise<Buffer> => {
    const response = await new Promise<IncomingMessage>((resolve, reject) =>
      request(`${url}${path}`, { agent, headers }, resolve).on('error', reject).end(),
    );
    const chunks: Buffer[] = [];
    for await (const chunk of response) chunks.push(chunk as Buffer);
    const bytes = Buffer.concat(chunks);
    const { statusCode = 500 } = response;
    if (statusCode >= 300)
      throw new Error(`GET ${path} answered ${String(statusCode)}: ${bytes.toString().slice(0, 500)}`);
    return bytes;
  };

  return {
    post,
    get,
    drain: (path, body, onBytes) => readRaw({ url, path, headers, body, onBytes }),
    close: () => {
      agent.destroy();
      for (const connection of idle) connection.close();
    },
  };
}
