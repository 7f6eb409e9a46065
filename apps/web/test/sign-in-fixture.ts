import { createSmtpTransport } from '@redoubt/server/testing';
import {
  addMember,
  createWorkspace,
  startMailServer,
  startTestOidc,
  type TestOidc,
  type TestPerson,
  type TestWorkspace,
} from '@redoubt/testkit';
import { openConsole, type ConsoleFixture } from './console-fixture.ts';

/** A console whose people sign in by a password or an identity provider, on a server that sends mail. */
export interface SignInFixture {
  house: ConsoleFixture;
  oidc: TestOidc;
  workspace: TestWorkspace;
  /** The person of sign-ins at the provider. */
  ada: TestPerson;
  /** The newest link to a page in the mails to an address, as a path. */
  linkIn(email: string, page: string): Promise<string>;
  close(): Promise<void>;
}

export const openSignInFixture = async (): Promise<SignInFixture> => {
  const oidc = await startTestOidc();
  const post = await startMailServer();
  const { id: clientId, secret: clientSecret } = oidc.client;
  const house = await openConsole(
    {
      mail: createSmtpTransport({ url: post.url, from: 'redoubt@example.org' }),
      singleSignOn: {
        keycloak: { issuer: oidc.issuer, clientId, clientSecret },
        allowsPrivate: true,
        trustedIssuers: [oidc.issuer],
      },
    },
    [oidc.issuer],
  );
  const { server } = house;
  // The provider uses the real clock.
  server.runtime.clock.set(new Date());
  const workspace = await createWorkspace(server);
  const ada = await addMember(server, workspace);
  await server.db.updateTable('accounts').set({ verified: true }).where('id', '=', ada.id).execute();
  oidc.know({ sub: 'ada', email: ada.email, email_verified: true });
  oidc.signsIn('ada');
  return {
    house,
    oidc,
    workspace,
    ada,
    linkIn: async (email, page) => {
      await server.mailSettled();
      const [link] = post.mails
        .filter(({ to }) => to.includes(email))
        .flatMap(({ text }) => text.match(new RegExp(`${page}#[\\w-]+`, 'g')) ?? [])
        .slice(-1);
      if (link === undefined) throw new Error(`No mail to ${email} has a link to ${page}.`);
      return link;
    },
    close: async () => {
      await house.close();
      await Promise.all([post.close(), oidc.close()]);
    },
  };
};
