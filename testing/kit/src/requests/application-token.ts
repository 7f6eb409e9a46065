import { createHash } from 'node:crypto';
import type { Person } from './people.ts';
import { as, bodyOf, done, type WireResponse, type Request, type Send } from './requests.ts';

const verifier = 'a-verifier-of-at-least-forty-three-characters-0123';
const cookie = `redoubt-oauth=${'b'.repeat(32)}`;
const redirectUrl = 'https://walker.example/back';

const post = (path: string, fields: Readonly<Record<string, string>>): Request => ({
  method: 'POST',
  path,
  body: Buffer.from(new URLSearchParams(fields).toString()),
  headers: { 'content-type': 'application/x-www-form-urlencoded', cookie },
});

/** The hidden fields of the first form of a page. */
const fieldsIn = ({ body }: WireResponse): Record<string, string> =>
  Object.fromEntries(
    [...(body.split('</form>')[0] ?? '').matchAll(/type="hidden" name="([^"]*)" value="([^"]*)"/g)].map(
      ([, name = '', value = '']) => [name, value],
    ),
  );

/** The token of an application that acts for the person, with the person's consent. */
export const applicationToken = async (
  send: Send,
  arranger: Person,
  workspaceId: string,
  person: Person,
  type: 'mls' | 'sls',
): Promise<string> => {
  const body = {
    name: `Walker ${type}`,
    url: 'https://walker.example',
    redirectUrl,
    workspaceId,
    type,
    allowedUsers: [person.id],
  };
  const { clientId, clientSecret } = await done<{ clientId: string; clientSecret: string }>(
    send,
    as(arranger).post('/applications', body),
  );
  const parameters = new URLSearchParams({
    response_type: 'code',
    client_id: clientId,
    redirect_uri: redirectUrl,
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
  });
  const page = await send({
    ...as(person).get(`/oauth2/auth?${parameters.toString()}`),
    headers: { cookie },
  });
  const { headers } = await send(post('/oauth2/auth', { ...fieldsIn(page), decision: 'allow' }));
  const location = headers?.find(([name]) => name === 'location')?.[1] ?? 'https://nowhere.invalid';
  const response = await send(
    post('/oauth2/token', {
      client_id: clientId,
      client_secret: clientSecret,
      grant_type: 'authorization_code',
      code: new URL(location).searchParams.get('code') ?? '',
      redirect_uri: redirectUrl,
      code_verifier: verifier,
    }),
  );
  if (response.status !== 200)
    throw new Error(`No token for an application: ${response.status} ${response.body}`);
  return (bodyOf(response) as { access_token: string }).access_token;
};
