import type {
  attributeAssignmentRoutes,
  attributeRoutes,
  groupMembershipRoutes,
  groupRoutes,
  workspacePermissionRoutes,
  workspaceRoutes,
} from '@redoubt/contract';
import { createAccessMakers } from '@redoubt/testkit/requests';
import { signUp } from '@redoubt/testkit/requests';
import { as, done, type Send } from '@redoubt/testkit/requests';
import { newGroup, newPerson, type AccessFixture } from '../access-fixture.ts';
import { fresh, standing, type Probe } from '../probe.ts';

const make = ({ arranger, workspace }: AccessFixture, send: Send) =>
  createAccessMakers(send, arranger, workspace.id);
const someone = ({ arranger, workspace }: AccessFixture, send: Send) =>
  newPerson(send, arranger, workspace.id, fresh('someone'));

const newAttribute = async (house: AccessFixture, send: Send) => {
  const id = await make(house, send).attribute(fresh('TOKEN').toUpperCase());
  const assignment = await make(house, send).assignment(id, house.self);
  return { id, assignment };
};

const permission = (userId: string, workspaceId: string, code: string) => ({
  workspacePermissionsId: code,
  workspacePermissionsCode: code,
  userId,
  workspaceId,
});

/** A permission of a new person, which holders of manage-users also hold. */
const newPermission = async (house: AccessFixture, send: Send) => {
  const { arranger, workspace } = house;
  const self = { ...(await someone(house, send)), name: 'self' };
  const body = permission(self.id, workspace.id, 'manage-users');
  const { id } = await done(send, as(arranger).post('/workspace-permissions-assignments', body));
  return { id, self };
};

export const workspaceProbes: Record<keyof typeof workspaceRoutes, Probe> = {
  listWorkspaces: standing(() => ({ ask: {} })),
  createWorkspace: {
    make: async (_house, send) => ({
      ask: () => ({ body: { name: fresh('made') } }),
      instead: { 'no-workspace': { name: 'no-workspace', ...(await signUp(send, fresh('homeless'))) } },
    }),
  },
  getWorkspace: standing(({ workspace }) => ({ ask: { params: { id: workspace.id } } })),
  updateWorkspace: standing(({ workspace }) => ({
    ask: { params: { id: workspace.id }, body: { name: 'House' } },
  })),
  deleteWorkspace: standing(({ workspace }) => ({ ask: { params: { id: workspace.id } } })),
};

export const workspacePermissionProbes: Record<keyof typeof workspacePermissionRoutes, Probe> = {
  listWorkspacePermissions: standing(() => ({ ask: {}, listed: 'manage-users' })),
  listWorkspacePermissionAssignments: {
    make: async (house, send) => {
      const { id, self } = await newPermission(house, send);
      return { ask: {}, listed: id, instead: { self } };
    },
  },
  createWorkspacePermissionAssignment: {
    make: async (house, send) => {
      const { id } = await someone(house, send);
      return { ask: { body: permission(id, house.workspace.id, 'manage-users') } };
    },
  },
  getWorkspacePermissionAssignment: {
    make: async (house, send) => {
      const { id, self } = await newPermission(house, send);
      return { ask: { params: { id } }, instead: { self } };
    },
  },
  deleteWorkspacePermissionAssignment: {
    make: async (house, send) => {
      const { id, self } = await newPermission(house, send);
      return { ask: { params: { id } }, instead: { self } };
    },
  },
};

export const attributeProbes: Record<keyof typeof attributeRoutes, Probe> = {
  listAttributes: standing(({ attribute }) => ({ ask: {}, listed: attribute })),
  createAttribute: standing(({ workspace }) => ({
    ask: () => ({ body: { name: 'Made', token: fresh('MADE').toUpperCase(), workspaceId: workspace.id } }),
  })),
  getAttribute: standing(({ attribute }) => ({ ask: { params: { id: attribute } } })),
  patchAttribute: standing(({ attribute }) => ({
    ask: { params: { id: attribute }, body: { name: 'Held by some' } },
  })),
  deleteAttribute: {
    make: async (house, send) => ({ ask: { params: { id: (await newAttribute(house, send)).id } } }),
  },
};

export const attributeAssignmentProbes: Record<keyof typeof attributeAssignmentRoutes, Probe> = {
  listAttributeAssignments: standing(({ assignment }) => ({ ask: {}, listed: assignment })),
  createAttributeAssignment: {
    make: async (house, send) => {
      const { id: userId } = await someone(house, send);
      return { ask: { body: { attributeId: house.attribute, userId, workspaceId: house.workspace.id } } };
    },
  },
  getAttributeAssignment: standing(({ assignment }) => ({ ask: { params: { id: assignment } } })),
  patchAttributeAssignment: standing(({ assignment, attribute }) => ({
    ask: { params: { id: assignment }, body: { attributeId: attribute } },
  })),
  deleteAttributeAssignment: {
    make: async (house, send) => ({ ask: { params: { id: (await newAttribute(house, send)).assignment } } }),
  },
};

export const groupProbes: Record<keyof typeof groupRoutes, Probe> = {
  listGroups: standing(({ groups }) => ({ ask: {}, listed: groups.club })),
  createGroup: standing(({ workspace }) => ({
    ask: () => ({ body: { name: fresh('Made'), workspaceId: workspace.id } }),
  })),
  getGroup: standing(({ groups }) => ({ ask: { params: { id: groups.club } } })),
  patchGroup: standing(({ groups }) => ({ ask: { params: { id: groups.club }, body: { name: 'Club' } } })),
  deleteGroup: {
    make: async (house, send) => ({ ask: { params: { id: await newGroup(house, send, fresh('Group')) } } }),
  },
};

const newMembership = async (house: AccessFixture, send: Send): Promise<string> =>
  make(house, send).member(house.groups.club, await someone(house, send));

export const groupMembershipProbes: Record<keyof typeof groupMembershipRoutes, Probe> = {
  listGroupMemberships: {
    make: async (house, send) => ({ ask: {}, listed: await newMembership(house, send) }),
  },
  createGroupMembership: {
    make: async (house, send) => {
      const { id: userId } = await someone(house, send);
      const { groups, workspace } = house;
      return { ask: { body: { groupId: groups.club, userId, role: 'member', workspaceId: workspace.id } } };
    },
  },
  getGroupMembership: {
    make: async (house, send) => ({ ask: { params: { id: await newMembership(house, send) } } }),
  },
  patchGroupMembership: {
    make: async (house, send) => ({
      ask: { params: { id: await newMembership(house, send) }, body: { role: 'member' } },
    }),
  },
  deleteGroupMembership: {
    make: async (house, send) => ({ ask: { params: { id: await newMembership(house, send) } } }),
  },
};
