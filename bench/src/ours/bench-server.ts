import { addMember, sendRequest, createWorkspace } from '@redoubt/testkit';
import { startServerProcess, type ServerProcess } from '@redoubt/server/testing';
import { join } from 'node:path';
import type { LabelSet } from '../data/label-sets.ts';
import type { Pace } from '../pace.ts';
import { waitUntilIdle } from '../process-metrics.ts';
import { createHttpClient, type HttpClient } from './http.ts';

export interface Dataset {
  id: string;
  /** The tokens of its two readers: one of about half the labels, one of all. */
  half: string;
  all: string;
  /** The id of the group that may read it. */
  readers: string;
}

/** A Redoubt process with a workspace, which can be stopped and started again. */
export interface BenchServer {
  readonly dataDir: string;
  readonly pace: Pace;
  pid(): number;
  /** Its address, and the token of the admin. */
  address(): { readonly url: string; readonly token: string };
  /** Creates a dataset with a reader of about half of its labels and one of all. */
  createDataset(name: string, labelSet: Pick<LabelSet, 'attributes' | 'held'>): Promise<Dataset>;
  /** Creates another dataset with the same readers. */
  createAnother(name: string, like: Dataset): Promise<Dataset>;
  /** Creates a reader of a dataset with these attributes. @returns the token of the reader */
  createReader(dataset: Dataset, attributes: readonly string[]): Promise<string>;
  deleteDataset(id: string): Promise<void>;
  /** A client of the admin, who writes. */
  writer(connections: number): HttpClient;
  reader(token: string, headers?: Readonly<Record<string, string>>): HttpClient;
  waitUntilIdle(): Promise<void>;
  stop(): Promise<void>;
  start(): Promise<void>;
}

export async function startBenchServer(folder: string, pace: Pace): Promise<BenchServer> {
  const dataDir = join(folder, 'redoubt');
  // The other engines have no memory limit. Ten million groups need more than the default limit of a query, 2 GB.
  const environment = {
    LOG_LEVEL: 'warn',
    QUERY_MEMORY_BYTES: String(8 * 2 ** 30),
    ALLOW_PRIVATE_ADDRESSES: 'yes',
  };
  const start = (): Promise<ServerProcess> => startServerProcess({ dataDir, environment });
  let server = await start();
  // One object for all restarts, although the port changes, because the test kit uses it as the key for numbering
  // names.
  const address = { url: server.url };
  const workspace = await createWorkspace(address, 'bench');
  const { token } = workspace.admin;

  async function made<T>(path: string, body: unknown): Promise<T> {
    const response = await sendRequest<T>(address, 'POST', path, { token, body });
    if (response.status !== 201)
      throw new Error(`POST ${path} answered ${String(response.status)}: ${JSON.stringify(response.body)}`);
    return response.body;
  }
  const attributeIds = new Map<string, string>();

  async function ensureAttributes(attributes: readonly string[]): Promise<void> {
    for (const attribute of attributes) {
      if (attributeIds.has(attribute)) continue;
      const { id } = await made<{ id: string }>('/attributes', { name: attribute, token: attribute });
      attributeIds.set(attribute, id);
    }
  }

  async function createGranted(name: string, groupId: string): Promise<string> {
    const { id } = await made<{ id: string }>('/datasets', { name, workspaceId: workspace.id });
    await made('/dataset-permissions', { action: 'read', datasetId: id, groupId });
    return id;
  }

  async function createReader(groupId: string, attributes: readonly string[]): Promise<string> {
    await ensureAttributes(attributes);
    const reader = await addMember(address, workspace, 'member', 'reader');
    await made('/group-memberships', { groupId, userId: reader.id, role: 'member' });
    for (const attribute of attributes)
      await made('/attribute-assignments', { attributeId: attributeIds.get(attribute), userId: reader.id });
    return reader.token;
  }

  return {
    dataDir,
    pace,
    pid: () => server.pid,
    address: () => ({ ...address, token }),
    async createDataset(name, labelSet) {
      await ensureAttributes(labelSet.attributes);
      const group = await made<{ id: string }>('/groups', {
        name: `Readers of ${name}`,
        workspaceId: workspace.id,
      });
      const id = await createGranted(name, group.id);
      const half = await createReader(group.id, labelSet.held);
      const all = await createReader(group.id, labelSet.attributes);
      return { id, half, all, readers: group.id };
    },
    createAnother: async (name, like) => ({ ...like, id: await createGranted(name, like.readers) }),
    createReader: ({ readers }, attributes) => createReader(readers, attributes),
    async deleteDataset(id) {
      const { status } = await sendRequest(address, 'DELETE', `/datasets/${id}`, { token });
      if (status !== 200) throw new Error(`DELETE /datasets/${id} answered ${String(status)}.`);
    },
    writer: (connections) => createHttpClient(address.url, token, connections),
    reader: (readerToken, headers) => createHttpClient(address.url, readerToken, 1, headers),
    waitUntilIdle: () => waitUntilIdle(server.pid, pace),
    async stop() {
      await server.stop();
    },
    async start() {
      server = await start();
      address.url = server.url;
    },
  };
}
