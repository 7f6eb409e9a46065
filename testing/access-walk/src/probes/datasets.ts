import type {
  datasetPermissionRoutes,
  datasetRoutes,
  indexRoutes,
  jobRoutes,
  transferRequestRoutes,
} from '@redoubt/contract';
import { createAccessMakers } from '@redoubt/testkit/requests';
import { as, done, type Send } from '@redoubt/testkit/requests';
import { newDataset, newGroup, type AccessFixture, type TestActor } from '../access-fixture.ts';
import { fresh, standing, type Probe } from '../probe.ts';

const id = (value: string) => ({ params: { id: value } });

export const datasetProbes: Record<keyof typeof datasetRoutes, Probe> = {
  listDatasets: standing(({ dataset }) => ({ request: {}, listed: dataset })),
  createDataset: standing(({ workspace }) => ({
    request: () => ({ body: { name: fresh('Made'), workspaceId: workspace.id } }),
  })),
  getDataset: standing(({ dataset }) => ({ request: id(dataset) })),
  patchDataset: standing(({ dataset }) => ({ request: { ...id(dataset), body: { description: 'Any' } } })),
  deleteDataset: { make: async (fixture, send) => ({ request: id(await newDataset(fixture, send)) }) },
};

const withoutGroups = new Set(['nobody', 'no-workspace', 'foreigner']);

/** A group that is visible to the caller. A program sees the groups of its person. */
export const ownGroup = async (
  { workspace, groups }: AccessFixture,
  send: Send,
  caller: TestActor,
): Promise<string> =>
  caller.key !== undefined || withoutGroups.has(caller.name)
    ? groups.managers
    : createAccessMakers(send, caller, workspace.id).group(fresh('Own'));

/** Creates a grant for a group that contains the club. */
const newGrant = async (fixture: AccessFixture, send: Send): Promise<string> => {
  const groupId = await newGroup(fixture, send, fresh('Granted'));
  return createAccessMakers(send, fixture.arranger, fixture.workspace.id).permission(
    'read',
    fixture.granted,
    groupId,
  );
};

export const datasetPermissionProbes: Record<keyof typeof datasetPermissionRoutes, Probe> = {
  listDatasetPermissions: standing(({ grant }) => ({ request: {}, listed: grant })),
  createDatasetPermission: {
    make: async (fixture, send) => ({
      request: async (caller) => {
        const groupId = await ownGroup(fixture, send, caller);
        return { body: { action: 'read', datasetId: fixture.dataset, groupId } };
      },
    }),
  },
  getDatasetPermission: standing(({ grant }) => ({ request: id(grant) })),
  patchDatasetPermission: {
    make: async (fixture, send) => {
      const grant = await newGrant(fixture, send);
      return {
        request: async (caller) => ({
          ...id(grant),
          body: { groupId: await ownGroup(fixture, send, caller) },
        }),
      };
    },
  },
  deleteDatasetPermission: {
    make: async (fixture, send) => ({ request: id(await newGrant(fixture, send)) }),
  },
};

/** The owner offers the person `self` to take over a dataset. */
const newTransfer = async (fixture: AccessFixture, send: Send): Promise<string> => {
  const { owner, self } = fixture;
  const resourceId = await newDataset(fixture, send);
  const body = { resourceId, resourceType: 'dataset', recipientUserId: self.id };
  return (await done(send, as(owner).post('/transfer-resource-requests', body))).id;
};

export const transferRequestProbes: Record<keyof typeof transferRequestRoutes, Probe> = {
  listTransferResourceRequests: {
    make: async (fixture, send) => ({ request: {}, listed: await newTransfer(fixture, send) }),
  },
  createTransferResourceRequest: {
    make: async (fixture, send) => {
      const resourceId = await newDataset(fixture, send);
      return {
        request: { body: { resourceId, resourceType: 'dataset', recipientUserId: fixture.starter.id } },
      };
    },
  },
  getTransferResourceRequest: {
    make: async (fixture, send) => ({ request: id(await newTransfer(fixture, send)) }),
  },
  patchTransferResourceRequest: {
    make: async (fixture, send) => {
      const transfer = await newTransfer(fixture, send);
      return {
        request: ({ name }) => ({
          ...id(transfer),
          body: { status: name === 'self' ? 'accepted' : 'revoked' },
        }),
      };
    },
  },
};

const newIndex = async ({ owner, dataset }: AccessFixture, send: Send): Promise<string> =>
  (await done(send, as(owner).post('/indexes', { datasetId: dataset, fields: ['m'] }))).id;

const ofDataset = ({ dataset }: AccessFixture) => ({ search: `?datasetId=${dataset}&$limit=-1` });

export const indexProbes: Record<keyof typeof indexRoutes, Probe> = {
  listIndexes: standing((fixture) => ({ request: ofDataset(fixture), listed: fixture.index })),
  createIndex: standing(({ dataset }) => ({
    request: () => ({ body: { datasetId: dataset, fields: [fresh('made')] } }),
  })),
  getIndex: standing(({ index }) => ({ request: id(index) })),
  patchIndex: standing(({ index }) => ({ request: { ...id(index), body: { fields: ['n'] } } })),
  deleteIndex: { make: async (fixture, send) => ({ request: id(await newIndex(fixture, send)) }) },
  manageIndexes: standing(({ dataset }) => ({
    request: { body: { action: 'modifyIndexes', datasetId: dataset } },
  })),
};

/** Starts a job as a person who may read and write the dataset. */
const newJob = async ({ starter, dataset }: AccessFixture, send: Send): Promise<string> =>
  (await done(send, as(starter).post(`/storage/datasets/${dataset}/deleteRecords`, { recordIds: ['none'] })))
    .id;

const segmentOf = async (fixture: AccessFixture, send: Send): Promise<string> => {
  const jobId = await newJob(fixture, send);
  const path = `/segments?datasetId=${fixture.dataset}&jobId=${jobId}`;
  const { data } = await done<{ data: { id: string }[] }>(send, as(fixture.starter).get(path));
  return data[0]?.id ?? '';
};

const byStarter = ({ starter }: AccessFixture) => ({ self: { ...starter, name: 'self' } });

export const jobProbes: Record<keyof typeof jobRoutes, Probe> = {
  listJobs: {
    make: async (fixture, send) => ({
      request: ofDataset(fixture),
      listed: await newJob(fixture, send),
      instead: byStarter(fixture),
    }),
  },
  createJob: standing(({ dataset }) => ({
    request: { body: { type: 'delete-record', datasetId: dataset, config: { recordIds: ['none'] } } },
  })),
  getJob: {
    make: async (fixture, send) => ({
      request: id(await newJob(fixture, send)),
      instead: byStarter(fixture),
    }),
  },
  patchJob: {
    make: async (fixture, send) => ({
      request: { ...id(await newJob(fixture, send)), body: { status: 'canceled' } },
      instead: byStarter(fixture),
    }),
    letThrough: [400],
  },
  listSegments: {
    make: async (fixture, send) => ({
      request: ofDataset(fixture),
      listed: await segmentOf(fixture, send),
      instead: byStarter(fixture),
    }),
  },
  getSegment: {
    make: async (fixture, send) => ({
      request: id(await segmentOf(fixture, send)),
      instead: byStarter(fixture),
    }),
  },
};
