import { addMember, sendRequest, createWorkspace } from '@redoubt/testkit';
import { startServerProcess } from '@redoubt/server/testing';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { createOwnDatabase } from '../postgres/own-database.ts';

const bareProgram = fileURLToPath(new URL('bare-server.ts', import.meta.url));

/** A server that serves one dataset. */
export interface Contender {
  url: string;
  pid: number;
  stop(): Promise<void>;
}

export interface OurServer extends Contender {
  /** The URL of its database. */
  database: string;
  datasetId: string;
  /** The token of a member who may read the dataset through a group. */
  token: string;
}

/** Starts Redoubt as a process, with its metadata on PostgreSQL. */
export async function startRedoubt(postgresUrl: string, dataDir: string): Promise<OurServer> {
  const { url: database, drop } = await createOwnDatabase(postgresUrl);
  const environment = { LOG_LEVEL: 'warn', DATABASE_URL: database };
  const server = await startServerProcess({ dataDir, environment });
  const workspace = await createWorkspace(server, 'bench');
  const made = async (path: string, body: unknown): Promise<string> => {
    const response = await sendRequest<{ id: string }>(server, 'POST', path, {
      token: workspace.admin.token,
      body,
    });
    if (response.status !== 201)
      throw new Error(`POST ${path} answered ${response.status}: ${JSON.stringify(response.body)}`);
    return response.body.id;
  };
  const groupId = await made('/groups', { name: 'Readers', workspaceId: workspace.id });
  const datasetId = await made('/datasets', { name: 'Planes', workspaceId: workspace.id });
  await made('/dataset-permissions', { action: 'read', datasetId, groupId });
  const reader = await addMember(server, workspace, 'member', 'reader');
  await made('/group-memberships', { groupId, userId: reader.id, role: 'member' });
  return {
    url: server.url,
    pid: server.pid,
    database,
    datasetId,
    token: reader.token,
    stop: async () => {
      await server.stop();
      await drop();
    },
  };
}

/** Starts a Fastify server with one route, which sends this number of queries per request to the same database. */
export async function startBareRoute(
  { database, datasetId }: OurServer,
  queryCount: number,
): Promise<Contender> {
  const child = spawn(process.execPath, [bareProgram, database, datasetId, String(queryCount)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [output] = (await once(child.stdout, 'data')) as [Buffer];
  const url = /^ready (\S+)/.exec(output.toString())?.[1];
  if (url === undefined) throw new Error(`The bare server did not start: ${output.toString()}`);
  return {
    url,
    pid: child.pid ?? 0,
    stop: async () => {
      child.kill();
      await once(child, 'exit');
    },
  };
}
