import { startTestOidc, startTestSocial, type TestOidc, type TestSocial } from '@redoubt/testkit';
import { startServer, type TestServer, type TestServerOptions } from './server.ts';

/** A server with every kind of identity provider, and those providers. */
export interface SingleSignOnFixture {
  server: TestServer;
  oidc: TestOidc;
  social: TestSocial;
  close(): Promise<void>;
}

/** @param options options of the server; their `singleSignOn` adds settings to the providers of the fixture */
export const startSingleSignOnFixture = async (
  options: TestServerOptions = {},
): Promise<SingleSignOnFixture> => {
  const oidc = await startTestOidc();
  const social = await startTestSocial(oidc.client.secret);
  const { id: clientId, secret: clientSecret } = oidc.client;
  const own = { issuer: oidc.issuer, clientId, clientSecret };
  const server = await startServer({
    ...options,
    singleSignOn: {
      ...options.singleSignOn,
      keycloak: own,
      microsoft: own,
      okta: own,
      google: { ...own, tokenInfoUrl: `${social.url}/tokeninfo` },
      github: { clientId, clientSecret, url: social.url, apiUrl: social.url },
    },
  });
  return {
    server,
    oidc,
    social,
    close: async () => {
      await server.close();
      await social.close();
      await oidc.close();
    },
  };
};
