import { routes, type OAuthMetadata } from '@redoubt/contract';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { clientAddress } from '../../platform/http/client-address.ts';
import { bindPublic, type RouteBinding } from '../../platform/http/binding.ts';
import type { Random } from '../../platform/runtime.ts';
import type { AuthenticationService } from '../authentication/index.ts';
import type { AuthorizationService, SignInOnPage, AuthorizationStep } from './authorization.service.ts';
import { readBrowserId, isCrossSite, setBrowserId } from './browser-cookie.ts';
import { requestOrigin } from '../../platform/http/origin.ts';
import { OAuthRequestError } from '../../platform/http/oauth-error.ts';
import { errorPage } from './pages/error-page.ts';
import type { Page } from './pages/page.ts';
import { readForm, readParameters } from './parameters.ts';
import type { TokenService } from './token.service.ts';

/** Sets the headers of a page on the response, and returns its HTML. */
const sendPage = (reply: FastifyReply, { html, policy }: Page): string => {
  void reply.type('text/html; charset=utf-8').header('content-security-policy', policy);
  return html;
};

const wantsPage = ({ headers }: FastifyRequest): boolean => /\btext\/html\b/.test(headers.accept ?? '');

/** Sends the next page or redirect. For browsers, errors are pages too. */
const sendStep = async (
  request: FastifyRequest,
  reply: FastifyReply,
  nextStep: () => Promise<AuthorizationStep>,
): Promise<string> => {
  try {
    const step = await nextStep();
    if ('page' in step) return sendPage(reply, step.page);
    void reply.code(303).header('location', step.location);
    return '';
  } catch (error) {
    if (!(error instanceof OAuthRequestError) || !wantsPage(request)) throw error;
    void reply.code(error.status);
    return sendPage(reply, errorPage(error.message));
  }
};

const formOf = ({ headers }: FastifyRequest, bytes: Buffer) => readForm(headers['content-type'], bytes);

const metadataOf = (issuer: string): OAuthMetadata => {
  const clientMethods = ['client_secret_basic', 'client_secret_post'];
  return {
    issuer,
    authorization_endpoint: `${issuer}/oauth2/auth`,
    token_endpoint: `${issuer}/oauth2/token`,
    revocation_endpoint: `${issuer}/oauth2/revoke`,
    response_types_supported: ['code'],
    response_modes_supported: ['query'],
    grant_types_supported: ['authorization_code', 'refresh_token'],
    token_endpoint_auth_methods_supported: clientMethods,
    revocation_endpoint_auth_methods_supported: clientMethods,
    code_challenge_methods_supported: ['S256'],
    authorization_response_iss_parameter_supported: true,
  };
};

export const createOAuthRoutes = ({
  authorization,
  tokenService,
  authenticate,
  issuer,
  random,
}: {
  authorization: AuthorizationService;
  tokenService: TokenService;
  authenticate: AuthenticationService['authenticate'];
  issuer(): string;
  random: Random;
}): RouteBinding[] => {
  const signInFrom =
    (request: FastifyRequest): SignInOnPage =>
    (credentials) =>
      authenticate({ strategy: 'local', ...credentials }, {}, clientAddress(request));
  return [
    bindPublic(routes.authorizeApplication, ({ actor, request, reply }) =>
      sendStep(request, reply, async () => {
        const parameters = readParameters(request.url.split('?')[1] ?? '');
        return authorization.begin(parameters, actor, setBrowserId(request, reply, random));
      }),
    ),
    bindPublic(routes.answerApplication, ({ bytes, request, reply }) =>
      sendStep(request, reply, async () => {
        const browser = isCrossSite(request) ? '' : readBrowserId(request);
        return authorization.respond(
          formOf(request, bytes),
          browser,
          signInFrom(request),
          requestOrigin(request),
        );
      }),
    ),
    bindPublic(routes.exchangeOAuthToken, ({ bytes, request, reply }) => {
      void reply.header('pragma', 'no-cache');
      return tokenService.exchange(
        request.headers.authorization,
        formOf(request, bytes),
        requestOrigin(request),
      );
    }),
    bindPublic(routes.revokeOAuthToken, async ({ bytes, request }) => {
      await tokenService.revoke(
        request.headers.authorization,
        formOf(request, bytes),
        requestOrigin(request),
      );
      return {};
    }),
    bindPublic(routes.getOAuthMetadata, () => metadataOf(issuer())),
  ];
};
