import OAuth2Server from '@node-oauth/oauth2-server';
import type { AuthenticationResult } from '@redoubt/contract';
import { RedoubtError } from '@redoubt/errors';
import type { AuditEvent, AuditedChange } from '../../platform/audit/index.ts';
import type { Member, RequestOrigin, Person } from '../../platform/auth/actor.ts';
import type { SessionRepository } from '../../platform/auth/session.repository.ts';
import type { Runtime } from '../../platform/runtime.ts';
import { generateClientSecret, secretHashOf } from '../applications/index.ts';
import {
  buildRedirect,
  readAuthorizationRequest,
  RejectedAuthorization,
  requestFields,
  type AuthorizationRequest,
} from './authorization-request.ts';
import type { ConsentProofs, SignedInOnPage } from './consent-proofs.ts';
import { toOAuthError } from './library-errors.ts';
import { oauthLifetimes } from './lifetimes.ts';
import { OAuthRequestError } from '../../platform/http/oauth-error.ts';
import type { OAuthRepository } from './oauth.repository.ts';
import { consentPage, accessDeniedPage } from './pages/consent-page.ts';
import type { Page } from './pages/page.ts';
import { signInPage } from './pages/sign-in-page.ts';
import type { Parameters } from './parameters.ts';

/** The next step in the browser: a page or a redirect. */
export type AuthorizationStep = { page: Page } | { location: string };

/** Signs a person in to a workspace, as POST /authentication does for a request from the same address. */
export type SignInOnPage = (credentials: {
  email: string;
  password: string;
  workspaceId: string;
}) => Promise<AuthenticationResult>;

export interface AuthorizationService {
  /** @param actor the person, if the request has a session, as in the web application; others sign in on the page */
  begin(parameters: Parameters, actor: Person | undefined, browser: string): Promise<AuthorizationStep>;
  /** @param browser the browser id in the cookie of the page; '' if there is none */
  respond(
    form: Parameters,
    browser: string,
    signIn: SignInOnPage,
    origin: RequestOrigin,
  ): Promise<AuthorizationStep>;
}

const notFromPage = (): never => {
  throw new OAuthRequestError(
    'invalid_request',
    'This form was not sent by the page of this server, the page was open for too long, or the browser stores no cookies. Go back to the application and start again.',
    403,
  );
};

const wrongPassword =
  'The email address or the password is wrong, or you are not in the workspace of the application.';
const tookTooLong =
  'This took too long, your session ended, or the application changed meanwhile. Sign in again.';

/** What a person decides on: the request, and the terms of the application as the page showed them. */
const consentFields = (request: AuthorizationRequest): Record<string, string> => ({
  ...requestFields(request),
  terms: request.client.terms,
});

export const createAuthorizationService = ({
  repository,
  audited,
  proofs,
  sessions,
  issuer,
  runtime: { clock, ids, random },
}: {
  repository: OAuthRepository;
  audited: AuditedChange<Pick<OAuthRepository, 'saveCode'>>;
  proofs: ConsentProofs;
  sessions: Pick<SessionRepository, 'findLive' | 'revoke'>;
  /** The issuer identifier of this server. */
  issuer(): string;
  runtime: Runtime;
}): AuthorizationService => {
  const redirectTo = (
    request: Pick<AuthorizationRequest, 'redirectUrl' | 'state'>,
    result: Record<string, string>,
  ) => ({
    location: buildRedirect(request, { ...result, iss: issuer() }),
  });
  const denied = (request: AuthorizationRequest): AuthorizationStep =>
    redirectTo(request, { error: 'access_denied', error_description: 'The person did not allow it.' });

  /** Parses the request. Sends an error to the application if its redirect URL is right. */
  const withRequest = async (
    parameters: Parameters,
    next: (request: AuthorizationRequest) => Promise<AuthorizationStep>,
  ): Promise<AuthorizationStep> => {
    try {
      return await next(await readAuthorizationRequest(parameters, repository.findClient));
    } catch (error) {
      if (!(error instanceof RejectedAuthorization)) throw error;
      const { error: code, message } = error.reason;
      return redirectTo(error.request, { error: code, error_description: message.replaceAll('"', "'") });
    }
  };
  const fieldsFor = (request: AuthorizationRequest, browser: string) => {
    const fields = requestFields(request);
    return { ...fields, csrf: proofs.csrf(browser, fields) };
  };
  const showSignIn = (
    request: AuthorizationRequest,
    browser: string,
    email?: string,
    notice?: string,
  ): AuthorizationStep => {
    const { name, redirectUrl } = request.client;
    return { page: signInPage({ name, redirectUrl, fields: fieldsFor(request, browser), email, notice }) };
  };

  /** Finds the signed-in person in their present state; undefined unless they are in the workspace of the application. */
  const findMember = async (
    sessionId: string,
    request: AuthorizationRequest,
  ): Promise<Member | undefined> => {
    const found = await sessions.findLive(sessionId, clock.now());
    const workspace = found?.workspace;
    const isOwn = found?.credential.kind === 'session' && workspace?.uniqueId === request.client.workspaceUid;
    return isOwn && workspace !== undefined ? { ...found, sessionId, workspace } : undefined;
  };
  const showConsent = async (
    request: AuthorizationRequest,
    browser: string,
    signedIn: SignedInOnPage,
  ): Promise<AuthorizationStep> => {
    const { client } = request;
    const member = await findMember(signedIn.sessionId, request);
    if (member === undefined) return showSignIn(request, browser, undefined, tookTooLong);
    const ticket = proofs.ticket(signedIn, browser, consentFields(request));
    const fields = { ...fieldsFor(request, browser), ticket };
    const { email } = member;
    if (!(await repository.isUsable(member, client.id))) {
      return { page: accessDeniedPage({ client, email, fields }) };
    }
    const datasets = await repository.requiredDatasets(client.id, client.workspaceUid);
    const isBound = datasets.length > 0;
    return { page: consentPage({ client, email, datasets, isBound, fields }) };
  };

  const signInOn = async (
    form: Parameters,
    request: AuthorizationRequest,
    browser: string,
    signIn: SignInOnPage,
  ): Promise<AuthorizationStep> => {
    const [email = '', password = ''] = [form.get('email'), form.get('password')];
    try {
      const workspaceId = request.client.workspaceId;
      const { authentication } = await signIn({ email, password, workspaceId });
      return await showConsent(request, browser, { sessionId: authentication.payload.jti, isOfPage: true });
    } catch (error) {
      if (!(error instanceof RedoubtError) || error.code >= 500) throw error;
      return showSignIn(request, browser, email, error.name === 'AuthError' ? wrongPassword : error.message);
    }
  };

  /** Creates the code with the library, which checks the request once more. */
  const grantTo = async (request: AuthorizationRequest, actor: Member): Promise<string> => {
    const { client, redirectUrl, challenge } = request;
    const now = clock.now();
    const server = new OAuth2Server({
      authorizationCodeLifetime: oauthLifetimes.code / 1000,
      allowEmptyState: true,
      authenticateHandler: { handle: () => ({ id: actor.accountId }) },
      model: {
        getAccessToken: () => Promise.resolve(undefined),
        getAuthorizationCode: () => Promise.resolve(undefined),
        revokeAuthorizationCode: () => Promise.resolve(false),
        saveToken: () => Promise.resolve(undefined),
        getClient: (clientId: string) =>
          Promise.resolve({ id: clientId, grants: ['authorization_code'], redirectUris: [redirectUrl] }),
        generateAuthorizationCode: () => Promise.resolve(generateClientSecret(random)),
        saveAuthorizationCode: async (code, libraryClient, user) => {
          const event: AuditEvent = {
            type: 'Login',
            description: `allowed the application "${client.name}" to act for them`,
            details: { applicationId: client.id, name: client.name },
          };
          const save = (codes: Pick<OAuthRepository, 'saveCode'>) =>
            codes.saveCode({
              hash: secretHashOf(code.authorizationCode),
              grantId: ids.uuid(),
              applicationId: client.id,
              terms: client.terms,
              actor,
              redirectUrl,
              challenge,
              now,
              expiresAt: new Date(now.getTime() + oauthLifetimes.code),
            });
          const isSaved = await audited(actor, (result) => (result ? event : undefined), save);
          if (!isSaved)
            throw new OAuth2Server.AccessDeniedError(
              'Access denied: the session has ended, or the application has changed',
            );
          return { ...code, client: libraryClient, user };
        },
      },
    });
    const libraryRequest = new OAuth2Server.Request({
      method: 'POST',
      headers: {},
      query: {},
      body: requestFields(request),
    });
    try {
      const code = await server.authorize(libraryRequest, new OAuth2Server.Response());
      return code.authorizationCode;
    } catch (error) {
      throw toOAuthError(error);
    }
  };

  const decideOn = async (
    form: Parameters,
    request: AuthorizationRequest,
    browser: string,
    origin: RequestOrigin,
  ): Promise<AuthorizationStep> => {
    const ticket = form.get('ticket') ?? '';
    const signedIn = proofs.readTicket(ticket, browser, consentFields(request));
    const endPage = async (): Promise<void> => {
      if (signedIn?.isOfPage === true) await sessions.revoke(signedIn.sessionId, clock.now());
    };
    if (form.get('decision') === 'deny') {
      await endPage();
      return denied(request);
    }
    if (form.get('decision') !== 'allow')
      throw new OAuthRequestError(
        'invalid_request',
        'decision must be "allow" or "deny". Send one of the two.',
      );
    const member = signedIn && (await findMember(signedIn.sessionId, request));
    if (signedIn === undefined || member === undefined) {
      return showSignIn(request, browser, undefined, tookTooLong);
    }
    if (!(await repository.isUsable(member, request.client.id)))
      return showConsent(request, browser, signedIn);
    const code = await grantTo(request, { ...member, origin });
    await endPage();
    return redirectTo(request, { code });
  };

  return {
    begin: (parameters, actor, browser) =>
      withRequest(parameters, async (request) =>
        actor === undefined || (await findMember(actor.sessionId, request)) === undefined
          ? showSignIn(request, browser)
          : showConsent(request, browser, { sessionId: actor.sessionId, isOfPage: false }),
      ),
    respond: (form, browser, signIn, origin) =>
      withRequest(form, async (request) => {
        const isFromPage = proofs.isCsrf(form.get('csrf') ?? '', browser, requestFields(request));
        if (browser === '' || !isFromPage) return notFromPage();
        const step = form.get('step');
        if (step === 'sign-in') return signInOn(form, request, browser, signIn);
        if (step === 'decide') return decideOn(form, request, browser, origin);
        throw new OAuthRequestError(
          'invalid_request',
          'step must be "sign-in" or "decide". Send one of the two.',
        );
      }),
  };
};
