import { createSmtpTransport } from '@redoubt/server/testing';
import { startMailServer, startTestOidc, startTestStripe } from '@redoubt/testkit';
import { startServer } from '@redoubt/server/testing';
import type { Recording } from '../../src/api/types.ts';
import { tellOfAccess } from './access-story.ts';
import { createCallDesk, type LiveCall } from './call-desk.ts';
import { tellOfData } from './data-story.ts';
import { closeWorkspace, foundTeam, tellOfPeople } from './people-story.ts';
import { signInElsewhere, tellOfPrograms } from './programs-story.ts';

/** The addresses in recordings, instead of those of the test servers. */
const shown = {
  server: 'https://data.example.org',
  provider: 'https://login.example.org',
  stripe: 'https://checkout.example.org',
};

/**
 * Makes every call of the API once against a real server, and returns requests and responses.
 * @param onSuccess called after each call, with the address of the server, while its objects still exist
 */
export const recordCalls = async (
  onSuccess: (call: LiveCall, url: string) => Promise<void> | void = () => undefined,
): Promise<Record<string, Recording>> => {
  const [post, stripe, oidc] = await Promise.all([startMailServer(), startTestStripe(), startTestOidc()]);
  const { id: clientId, secret: clientSecret } = oidc.client;
  const server = await startServer({
    mail: createSmtpTransport({ url: post.url, from: 'Redoubt <redoubt@data.example.org>' }),
    stripe: stripe.settings,
    singleSignOn: { keycloak: { issuer: oidc.issuer, clientId, clientSecret } },
    storeLimits: { querySeconds: 600 },
  });
  try {
    const desk = createCallDesk(server.url, server.jobsSettled, (call) => onSuccess(call, server.url));
    desk.hide(server.url, shown.server);
    desk.hide(oidc.issuer, shown.provider);
    desk.hide(stripe.settings.apiUrl, shown.stripe);
    const team = await foundTeam(desk);
    const access = await tellOfAccess(desk, team);
    await tellOfData(desk, server, team, access);
    await tellOfPeople(desk, server, post, team);
    await tellOfPrograms(desk, { server, stripe }, team);
    await closeWorkspace(desk, team);
    await signInElsewhere(desk, server, oidc);
    return desk.recordings();
  } finally {
    await server.close();
    await Promise.all([post.close(), stripe.close(), oidc.close()]);
  }
};
