import type {
  authenticationRoutes,
  emailAddressRoutes,
  invitationRoutes,
  passwordResetRoutes,
  profilePictureRoutes,
  sessionRoutes,
  userRoutes,
} from '@redoubt/contract';
import { signInRequest, signUp } from '@redoubt/testkit/requests';
import { as, done, type Send } from '@redoubt/testkit/requests';
import { newPerson, type AccessFixture, type TestActor } from '../access-fixture.ts';
import { fresh, standing, type Probe } from '../probe.ts';

const signIn = async (send: Send, person: TestActor, workspaceId?: string): Promise<string> =>
  (await done<{ accessToken: string }>(send, signInRequest(person, workspaceId))).accessToken;

/** The id of the session to which a token belongs. */
const sessionOf = (token: string): string => {
  const claims = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()) as {
    jti: string;
  };
  return claims.jti;
};

const newSelf = ({ arranger, workspace }: AccessFixture, send: Send): Promise<TestActor> =>
  newPerson(send, arranger, workspace.id, fresh('self'));

const aboutSelf = standing(({ self }) => ({ ask: { params: { id: self.id } } }));

/** A probe with an unknown link. Every requester may send it, and it is not found. */
const unknownLink = (more: object = {}): Probe => ({
  ...standing(() => ({ ask: { body: { token: 'unknown', ...more } } })),
  letThrough: [400, 404],
});

const invitation = async ({ arranger, workspace }: AccessFixture, send: Send) => {
  const invited = { name: 'self', ...(await signUp(send, fresh('invited'))) };
  const { id, token } = await done<{ id: string; token: string }>(
    send,
    as(arranger).post('/users', {
      email: invited.email,
      firstName: 'In',
      lastName: 'Vited',
      password: 'never used at all',
      workspaceId: workspace.id,
    }),
  );
  return { id, token, invited };
};

const pixel = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);
const picture = { headers: { 'content-type': 'image/png' }, body: new Uint8Array(pixel) };
const withPicture = async ({ self }: AccessFixture, send: Send): Promise<string> => {
  await done(send, {
    method: 'POST',
    path: `/users/${self.id}/picture`,
    token: self.token,
    body: picture.body,
    headers: picture.headers,
  });
  return self.id;
};

export const authenticationProbes: Record<keyof typeof authenticationRoutes, Probe> = {
  authenticate: standing(({ self, workspace }) => ({
    ask: { body: signInRequest(self, workspace.id).body },
  })),
  signOut: {
    make: async ({ self }, send) => ({
      ask: async (caller) => ({ params: { id: await signIn(send, caller.id === '' ? self : caller) } }),
    }),
  },
  getMe: standing(() => ({ ask: {} })),
};

export const sessionProbes: Record<keyof typeof sessionRoutes, Probe> = {
  listSessions: standing(({ self }) => ({ ask: {}, listed: sessionOf(self.token) })),
  deleteSession: {
    make: async ({ self, workspace }, send) => ({
      ask: { params: { id: sessionOf(await signIn(send, self, workspace.id)) } },
    }),
  },
  updateSession: standing(({ self, workspace }) => ({
    ask: { params: { id: sessionOf(self.token) }, body: { workspaceId: workspace.id } },
  })),
};

export const userProbes: Record<keyof typeof userRoutes, Probe> = {
  listUsers: standing(({ self }) => ({ ask: {}, listed: self.id })),
  getUser: aboutSelf,
  createUser: standing(({ workspace }) => ({
    ask: ({ name }) => {
      const body = {
        email: `${fresh('made')}@example.org`,
        firstName: 'Made',
        lastName: 'Up',
        password: 'a long password',
      };
      return { body: name === 'nobody' ? body : { ...body, workspaceId: workspace.id } };
    },
  })),
  updateUser: standing(({ self }) => ({
    ask: ({ name }) => ({
      params: { id: self.id },
      body: name === 'self' ? { firstName: 'Other' } : { role: 'member', disabled: false },
    }),
  })),
  deleteUser: {
    make: async (house, send) => {
      const self = await newSelf(house, send);
      return { ask: { params: { id: self.id } }, instead: { self } };
    },
  },
};

export const emailAddressProbes: Record<keyof typeof emailAddressRoutes, Probe> = {
  requestEmailVerification: { ...standing(() => ({ ask: {} })), letThrough: [409, 501] },
  confirmEmail: unknownLink(),
  confirmEmailChange: unknownLink(),
};

export const passwordResetProbes: Record<keyof typeof passwordResetRoutes, Probe> = {
  requestPasswordReset: {
    ...standing(({ self }) => ({ ask: { body: { email: self.email } } })),
    letThrough: [501],
  },
  startPasswordReset: { ...aboutSelf, letThrough: [501] },
  confirmPasswordReset: unknownLink({ password: 'another long one' }),
};

export const profilePictureProbes: Record<keyof typeof profilePictureRoutes, Probe> = {
  setProfilePicture: standing(({ self }) => ({ ask: { params: { id: self.id }, ...picture } })),
  getProfilePicture: {
    make: async (house, send) => ({ ask: { params: { id: await withPicture(house, send) } } }),
  },
  deleteProfilePicture: {
    make: async (house, send) => ({ ask: { params: { id: await withPicture(house, send) } } }),
  },
};

export const invitationProbes: Record<keyof typeof invitationRoutes, Probe> = {
  listInvitations: standing(() => ({ ask: {} })),
  createInvitation: standing(() => ({ ask: { body: { email: `${fresh('address')}@example.org` } } })),
  lookAtInvitation: {
    make: async (house, send) => ({ ask: { body: { token: (await invitation(house, send)).token } } }),
  },
  joinWorkspace: {
    make: async ({ arranger }, send) => {
      const email = `${fresh('address')}@example.org`;
      const { token } = await done<{ token: string }>(send, as(arranger).post('/invitations', { email }));
      return {
        ask: { body: { token, firstName: 'New', lastName: 'Comer', password: 'long enough for one' } },
      };
    },
  },
  acceptInvitation: {
    make: async (house, send) => {
      const { token, invited } = await invitation(house, send);
      return { ask: { body: { token } }, instead: { self: invited } };
    },
  },
  deleteInvitation: {
    make: async (house, send) => ({ ask: { params: { id: (await invitation(house, send)).id } } }),
  },
};
