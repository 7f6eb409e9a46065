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

const newAttribute = async (fixture: AccessFixture, send: Send) => {
  const id = await make(fixture, send).attribute(fresh('TOKEN').toUpperCase());
  const assignment = await make(fixture, send).assignment(id, fixture.self);
  return { id, assignment };
};

const permission = (userId: string, workspaceId: string, code: string) => ({
  workspacePermissionsId: code,
  workspacePermissionsCode: code,
  userId,
  workspaceId,
});

/** A permission of a new person, which holders of manage-users also hold. */
const newPermission = async (fixture: AccessFixture, send: Send) => {
  const { arranger, workspace } = fixture;
  const self = { ...(await someone(fixture, send)), name: 'self' };
  const body = permission(self.id, workspace.id, 'manage-users');
  const { id } = await done(send, as(arranger).post('/workspace-permissions-assignments', body));
  return { id, self };
};

export const workspaceProbes: Record<keyof typeof workspaceRoutes, Probe> = {
  listWorkspaces: standing(({ workspace }) => ({ request: {}, listed: workspace.id })),
  createWorkspace: {
    make: async (_house, send) => ({
      request: () => ({ body: { name: fresh('made') } }),
      instead: { 'no-workspace': { name: 'no-workspace', ...(await signUp(send, fresh('homeless'))) } },
    }),
  },
  getWorkspace: standing(({ workspace }) => ({ request: { params: { id: workspace.id } } })),
  updateWorkspace: standing(({ workspace }) => ({
    request: { params: { id: workspace.id }, body: { name: 'House' } },
  })),
  deleteWorkspace: standing(({ workspace }) => ({ request: { params: { id: workspace.id } } })),
};

export const workspacePermissionProbes: Record<keyof typeof workspacePermissionRoutes, Probe> = {
  listWorkspacePermissions: standing(() => ({ request: {}, listed: 'manage-users' })),
  listWorkspacePermissionAssignments: {
    make: async (fixture, send) => {
      const { id, self } = await newPermission(fixture, send);
      return { request: {}, listed: id, instead: { self } };
    },
  },
  createWorkspacePermissionAssignment: {
    make: async (fixture, send) => {
      const { id } = await someone(fixture, send);
      return { request: { body: permission(id, fixture.workspace.id, 'manage-users') } };
    },
  },
  getWorkspacePermissionAssignment: {
    make: async (fixture, send) => {
      const { id, self } = await newPermission(fixture, send);
      return { request: { params: { id } }, instead: { self } };
    },
  },
  deleteWorkspacePermissionAssignment: {
    make: async (fixture, send) => {
      const { id, self } = await newPermission(fixture, send);
      return { request: { params: { id } }, instead: { self } };
    },
  },
};

export const attributeProbes: Record<keyof typeof attributeRoutes, Probe> = {
  listAttributes: standing(({ attribute }) => ({ request: {}, listed: attribute })),
  createAttribute: standing(({ workspace }) => ({
    request: () => ({
      body: { name: 'Made', token: fresh('MADE').toUpperCase(), workspaceId: workspace.id },
    }),
  })),
  getAttribute: standing(({ attribute }) => ({ request: { params: { id: attribute } } })),
  patchAttribute: standing(({ attribute }) => ({
    request: { params: { id: attribute }, body: { name: 'Held by some' } },
  })),
  deleteAttribute: {
    make: async (fixture, send) => ({ request: { params: { id: (await newAttribute(fixture, send)).id } } }),
  },
};

export const attributeAssignmentProbes: Record<keyof typeof attributeAssignmentRoutes, Probe> = {
  listAttributeAssignments: standing(({ assignment }) => ({ request: {}, listed: assignment })),
  createAttributeAssignment: {
    make: async (fixture, send) => {
      const { id: userId } = await someone(fixture, send);
      return {
        request: { body: { attributeId: fixture.attribute, userId, workspaceId: fixture.workspace.id } },
      };
    },
  },
  getAttributeAssignment: standing(({ assignment }) => ({ request: { params: { id: assignment } } })),
  patchAttributeAssignment: {
    make: async (fixture, send) => {
      const { assignment } = await newAttribute(fixture, send);
      // Nobody assigns an attribute to themselves, so the request names another person.
      const { id: userId } = await someone(fixture, send);
      return { request: { params: { id: assignment }, body: { userId } } };
    },
  },
  deleteAttributeAssignment: {
    make: async (fixture, send) => ({
      request: { params: { id: (await newAttribute(fixture, send)).assignment } },
    }),
  },
};

export const groupProbes: Record<keyof typeof groupRoutes, Probe> = {
  listGroups: standing(({ groups }) => ({ request: {}, listed: groups.club })),
  createGroup: standing(({ workspace }) => ({
    request: () => ({ body: { name: fresh('Made'), workspaceId: workspace.id } }),
  })),
  getGroup: standing(({ groups }) => ({ request: { params: { id: groups.club } } })),
  patchGroup: standing(({ groups }) => ({
    request: { params: { id: groups.club }, body: { name: 'Club' } },
  })),
  deleteGroup: {
    make: async (fixture, send) => ({
      request: { params: { id: await newGroup(fixture, send, fresh('Group')) } },
    }),
  },
};

const newMembership = async (fixture: AccessFixture, send: Send): Promise<string> =>
  make(fixture, send).member(fixture.groups.club, await someone(fixture, send));

export const groupMembershipProbes: Record<keyof typeof groupMembershipRoutes, Probe> = {
  listGroupMemberships: {
    make: async (fixture, send) => ({ request: {}, listed: await newMembership(fixture, send) }),
  },
  createGroupMembership: {
    make: async (fixture, send) => {
      const { id: userId } = await someone(fixture, send);
      const { groups, workspace } = fixture;
      return {
        request: { body: { groupId: groups.club, userId, role: 'member', workspaceId: workspace.id } },
      };
    },
  },
  getGroupMembership: {
    make: async (fixture, send) => ({ request: { params: { id: await newMembership(fixture, send) } } }),
  },
  patchGroupMembership: {
    make: async (fixture, send) => ({
      request: { params: { id: await newMembership(fixture, send) }, body: { role: 'member' } },
    }),
  },
  deleteGroupMembership: {
    make: async (fixture, send) => ({ request: { params: { id: await newMembership(fixture, send) } } }),
  },
};
