import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after } from 'node:test';

/** A request received by a test server. */
export interface Received {
  method: string;
  url: string;
  authorization: string | undefined;
  apiKey: string | undefined;
  cookie: string | undefined;
  body: string;
}

/** A stub of the API that records its requests. */
export interface ApiServer {
  origin: string;
  received: Received[];
  /** Sets the response. The default is an empty list. */
  answer(how: (response: ServerResponse) => void): void;
  take(request: IncomingMessage, response: ServerResponse): Promise<void>;
}

const json = (response: ServerResponse): void => {
  response.writeHead(200, { 'content-type': 'application/json' });
  response.end('{"total":0,"limit":10,"skip":0,"data":[]}');
};

/** Creates a stub to be attached to any server. */
export const createApiAnswers = (): Omit<ApiServer, 'origin'> => {
  const received: Received[] = [];
  let reply = json;
  return {
    received,
    answer: (how) => {
      reply = how;
    },
    take: async (request, response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk as Buffer);
      const { authorization, cookie } = request.headers;
      const apiKey = request.headers['x-api-key'];
      received.push({
        method: request.method ?? '',
        url: request.url ?? '',
        authorization,
        apiKey: typeof apiKey === 'string' ? apiKey : undefined,
        cookie,
        body: Buffer.concat(chunks).toString(),
      });
      reply(response);
    },
  };
};

/** A stub server of the API at its own origin, with CORS enabled. */
export const startApiServer = async (): Promise<ApiServer> => {
  const answers = createApiAnswers();
  const server = createServer((request, response) => {
    response.setHeader('access-control-allow-origin', request.headers.origin ?? '*');
    response.setHeader('access-control-allow-headers', 'authorization, content-type, x-api-key');
    response.setHeader('access-control-allow-methods', 'GET, POST, PATCH, DELETE');
    if (request.method === 'OPTIONS') response.writeHead(204).end();
    else void answers.take(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  after(() => {
    server.closeAllConnections();
    server.close();
  });
  return { ...answers, origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
};
