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

const aboutSelf = standing(({ self }) => ({ request: { params: { id: self.id } } }));

/** A probe with an unknown link. Every requester may make the call, and gets the error for a missing link. */
const unknownLink = (more: object = {}): Probe => ({
  ...standing(() => ({ request: { body: { token: 'unknown', ...more } } })),
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
    request: { body: signInRequest(self, workspace.id).body },
  })),
  signOut: {
    make: async ({ self }, send) => ({
      request: async (caller) => ({ params: { id: await signIn(send, caller.id === '' ? self : caller) } }),
    }),
  },
  getMe: standing(() => ({ request: {} })),
};

export const sessionProbes: Record<keyof typeof sessionRoutes, Probe> = {
  listSessions: standing(({ self }) => ({ request: {}, listed: sessionOf(self.token) })),
  deleteSession: {
    make: async ({ self, workspace }, send) => ({
      request: { params: { id: sessionOf(await signIn(send, self, workspace.id)) } },
    }),
  },
  updateSession: standing(({ self, workspace }) => ({
    request: { params: { id: sessionOf(self.token) }, body: { workspaceId: workspace.id } },
  })),
};

export const userProbes: Record<keyof typeof userRoutes, Probe> = {
  listUsers: standing(({ self }) => ({ request: {}, listed: self.id })),
  getUser: aboutSelf,
  createUser: standing(({ workspace }) => ({
    request: ({ name }) => {
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
    request: ({ name }) => ({
      params: { id: self.id },
      body: name === 'self' ? { firstName: 'Other' } : { role: 'member', disabled: false },
    }),
  })),
  deleteUser: {
    make: async (fixture, send) => {
      const self = await newSelf(fixture, send);
      return { request: { params: { id: self.id } }, instead: { self } };
    },
  },
};

export const emailAddressProbes: Record<keyof typeof emailAddressRoutes, Probe> = {
  requestEmailVerification: { ...standing(() => ({ request: {} })), letThrough: [409, 501] },
  confirmEmail: unknownLink(),
  confirmEmailChange: unknownLink(),
};

export const passwordResetProbes: Record<keyof typeof passwordResetRoutes, Probe> = {
  requestPasswordReset: {
    ...standing(({ self }) => ({ request: { body: { email: self.email } } })),
    letThrough: [501],
  },
  startPasswordReset: { ...aboutSelf, letThrough: [501] },
  confirmPasswordReset: unknownLink({ password: 'another long one' }),
};

export const profilePictureProbes: Record<keyof typeof profilePictureRoutes, Probe> = {
  setProfilePicture: standing(({ self }) => ({ request: { params: { id: self.id }, ...picture } })),
  getProfilePicture: {
    make: async (fixture, send) => ({ request: { params: { id: await withPicture(fixture, send) } } }),
  },
  deleteProfilePicture: {
    make: async (fixture, send) => ({ request: { params: { id: await withPicture(fixture, send) } } }),
  },
};

export const invitationProbes: Record<keyof typeof invitationRoutes, Probe> = {
  listInvitations: {
    make: async (fixture, send) => ({ request: {}, listed: (await invitation(fixture, send)).id }),
  },
  createInvitation: standing(() => ({ request: { body: { email: `${fresh('address')}@example.org` } } })),
  lookAtInvitation: {
    make: async (fixture, send) => ({
      request: { body: { token: (await invitation(fixture, send)).token } },
    }),
  },
  joinWorkspace: {
    make: async ({ arranger }, send) => {
      const email = `${fresh('address')}@example.org`;
      const { token } = await done<{ token: string }>(send, as(arranger).post('/invitations', { email }));
      return {
        request: { body: { token, firstName: 'New', lastName: 'Comer', password: 'long enough for one' } },
      };
    },
  },
  acceptInvitation: {
    make: async (fixture, send) => {
      const { token, invited } = await invitation(fixture, send);
      return { request: { body: { token } }, instead: { self: invited } };
    },
  },
  deleteInvitation: {
    make: async (fixture, send) => ({ request: { params: { id: (await invitation(fixture, send)).id } } }),
  },
};
