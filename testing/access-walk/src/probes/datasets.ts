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
  listDatasets: standing(({ dataset }) => ({ ask: {}, listed: dataset })),
  createDataset: standing(({ workspace }) => ({
    ask: () => ({ body: { name: fresh('Made'), workspaceId: workspace.id } }),
  })),
  getDataset: standing(({ dataset }) => ({ ask: id(dataset) })),
  patchDataset: standing(({ dataset }) => ({ ask: { ...id(dataset), body: { description: 'Any' } } })),
  deleteDataset: { make: async (house, send) => ({ ask: id(await newDataset(house, send)) }) },
};

const withoutGroups = new Set(['nobody', 'no-workspace', 'foreigner']);

/** A group that is visible to the caller. A program sees the groups of its person. */
const ownGroup = async (
  { workspace, groups }: AccessFixture,
  send: Send,
  caller: TestActor,
): Promise<string> =>
  caller.key !== undefined || withoutGroups.has(caller.name)
    ? groups.managers
    : createAccessMakers(send, caller, workspace.id).group(fresh('Own'));

/** Creates a grant for a group that contains the club. */
const newGrant = async (house: AccessFixture, send: Send): Promise<string> => {
  const groupId = await newGroup(house, send, fresh('Granted'));
  return createAccessMakers(send, house.arranger, house.workspace.id).permission(
    'read',
    house.granted,
    groupId,
  );
};

export const datasetPermissionProbes: Record<keyof typeof datasetPermissionRoutes, Probe> = {
  listDatasetPermissions: standing(({ grant }) => ({ ask: {}, listed: grant })),
  createDatasetPermission: {
    make: async (house, send) => ({
      ask: async (caller) => {
        const groupId = await ownGroup(house, send, caller);
        return { body: { action: 'read', datasetId: house.dataset, groupId } };
      },
    }),
  },
  getDatasetPermission: standing(({ grant }) => ({ ask: id(grant) })),
  patchDatasetPermission: {
    make: async (house, send) => {
      const grant = await newGrant(house, send);
      return {
        ask: async (caller) => ({
          ...id(grant),
          body: { groupId: await ownGroup(house, send, caller) },
        }),
      };
    },
  },
  deleteDatasetPermission: {
    make: async (house, send) => ({ ask: id(await newGrant(house, send)) }),
  },
};

/** The owner offers the person `self` to take over a dataset. */
const newTransfer = async (house: AccessFixture, send: Send): Promise<string> => {
  const { owner, self } = house;
  const resourceId = await newDataset(house, send);
  const body = { resourceId, resourceType: 'dataset', recipientUserId: self.id };
  return (await done(send, as(owner).post('/transfer-resource-requests', body))).id;
};

export const transferRequestProbes: Record<keyof typeof transferRequestRoutes, Probe> = {
  listTransferResourceRequests: {
    make: async (house, send) => ({ ask: {}, listed: await newTransfer(house, send) }),
  },
  createTransferResourceRequest: {
    make: async (house, send) => {
      const resourceId = await newDataset(house, send);
      return { ask: { body: { resourceId, resourceType: 'dataset', recipientUserId: house.starter.id } } };
    },
  },
  getTransferResourceRequest: {
    make: async (house, send) => ({ ask: id(await newTransfer(house, send)) }),
  },
  patchTransferResourceRequest: {
    make: async (house, send) => {
      const transfer = await newTransfer(house, send);
      return {
        ask: ({ name }) => ({ ...id(transfer), body: { status: name === 'self' ? 'accepted' : 'revoked' } }),
      };
    },
  },
};

const newIndex = async ({ owner, dataset }: AccessFixture, send: Send): Promise<string> =>
  (await done(send, as(owner).post('/indexes', { datasetId: dataset, fields: ['m'] }))).id;

const ofDataset = ({ dataset }: AccessFixture) => ({ search: `?datasetId=${dataset}&$limit=-1` });

export const indexProbes: Record<keyof typeof indexRoutes, Probe> = {
  listIndexes: standing((house) => ({ ask: ofDataset(house), listed: house.index })),
  createIndex: standing(({ dataset }) => ({
    ask: () => ({ body: { datasetId: dataset, fields: [fresh('made')] } }),
  })),
  getIndex: standing(({ index }) => ({ ask: id(index) })),
  patchIndex: standing(({ index }) => ({ ask: { ...id(index), body: { fields: ['n'] } } })),
  deleteIndex: { make: async (house, send) => ({ ask: id(await newIndex(house, send)) }) },
  manageIndexes: standing(({ dataset }) => ({
    ask: { body: { action: 'modifyIndexes', datasetId: dataset } },
  })),
};

/** Starts a job as a person who may read and write the dataset. */
const newJob = async ({ starter, dataset }: AccessFixture, send: Send): Promise<string> =>
  (await done(send, as(starter).post(`/storage/datasets/${dataset}/deleteRecords`, { recordIds: ['none'] })))
    .id;

const segmentOf = async (house: AccessFixture, send: Send): Promise<string> => {
  const jobId = await newJob(house, send);
  const path = `/segments?datasetId=${house.dataset}&jobId=${jobId}`;
  const { data } = await done<{ data: { id: string }[] }>(send, as(house.starter).get(path));
  return data[0]?.id ?? '';
};

const byStarter = ({ starter }: AccessFixture) => ({ self: { ...starter, name: 'self' } });

export const jobProbes: Record<keyof typeof jobRoutes, Probe> = {
  listJobs: {
    make: async (house, send) => ({
      ask: ofDataset(house),
      listed: await newJob(house, send),
      instead: byStarter(house),
    }),
  },
  createJob: standing(({ dataset }) => ({
    ask: { body: { type: 'delete-record', datasetId: dataset, config: { recordIds: ['none'] } } },
  })),
  getJob: {
    make: async (house, send) => ({ ask: id(await newJob(house, send)), instead: byStarter(house) }),
  },
  patchJob: {
    make: async (house, send) => ({
      ask: { ...id(await newJob(house, send)), body: { status: 'canceled' } },
      instead: byStarter(house),
    }),
    letThrough: [400],
  },
  listSegments: {
    make: async (house, send) => ({
      ask: ofDataset(house),
      listed: await segmentOf(house, send),
      instead: byStarter(house),
    }),
  },
  getSegment: {
    make: async (house, send) => ({ ask: id(await segmentOf(house, send)), instead: byStarter(house) }),
  },
};
