import { commonErrors, routes, type OperationId, type RouteDescriptor } from '@redoubt/contract';
import { cases } from './cases.ts';
import type { Scenario } from './scenario.ts';
import { bodyOf, type WireResponse, type SendToBoth, type Request } from '@redoubt/testkit/requests';

/** Whether a request goes to the route, in any spelling of its path. */
const goesTo = ({ method, path, aliases = [] }: RouteDescriptor, request: Request): boolean =>
  request.method === method &&
  [path, ...aliases].some((spelling) => {
    const pattern = spelling.replaceAll('.', String.raw`\.`).replaceAll(/\{\w+\}/g, '[^/?]+');
    return new RegExp(`^${pattern}(\\?|$)`).test(request.path);
  });

/** The name of a step: the call, and the part of its input that makes it distinct. */
const stepOf = (operationId: string, number: number, { method, path, body }: Request): string => {
  const sent = body === undefined ? '' : body instanceof Uint8Array ? String(body) : JSON.stringify(body);
  return `${operationId} ${number}: ${method} ${path} ${sent.slice(0, 300)}`;
};

/** Whether the contract declares this response for the call. */
const isDeclared = (
  { success, redirects, protocol, errors, ranged }: RouteDescriptor,
  response: WireResponse,
): boolean => {
  if (response.status === 303 && redirects !== undefined) return true;
  if (ranged === true && [206, 416].includes(response.status)) return true;
  if (response.status < 400) return response.status === success.status;
  if (protocol === 'oauth2')
    return Object.keys(bodyOf(response) as object).join() === 'error,error_description';
  const { name } = bodyOf(response) as { name: string };
  return [...errors, ...commonErrors].some((declared) => declared === name);
};

/** Calls that succeed only while another request runs, so their success depends on timing. Other tests cover it. */
const needsAnother: ReadonlySet<OperationId> = new Set(['cancelQuery', 'patchJob']);

/** Calls that succeed only if mail is sent. `mail.test.ts` compares their success. */
const needsMail: ReadonlySet<OperationId> = new Set([
  'requestEmailVerification',
  'confirmEmail',
  'confirmEmailChange',
  'requestPasswordReset',
  'startPasswordReset',
  'confirmPasswordReset',
]);

/**
 * Calls that succeed only with an identity provider, and whose encrypted values differ each time. Other tests cover
 * them.
 */
const needsProvider: ReadonlySet<OperationId> = new Set(['beginSingleSignOn', 'finishSingleSignOn']);

/**
 * Runs the case of a call. The responses must be the same in both worlds. They must also show that the case tests
 * something: none is a server error, the contract declares them all, and at least one is a success of the call.
 * @returns the statuses of the responses to the call itself
 */
export const runCase = async (
  operationId: OperationId,
  same: (step: string, request: Request) => Promise<WireResponse>,
  scenario: Scenario,
): Promise<number[]> => {
  const route: RouteDescriptor = routes[operationId];
  const statuses: number[] = [];
  let number = 0;
  const send: SendToBoth = async (request) => {
    const step = stepOf(operationId, (number += 1), request);
    const response = await same(step, request);
    if (response.status === 500 || response.status === 503) throw new Error(`${step}: ${response.body}`);
    if (!goesTo(route, request)) return response;
    if (!isDeclared(route, response))
      throw new Error(`${step}: the contract does not declare ${response.body}`);
    statuses.push(response.status);
    return response;
  };
  await cases[operationId](send, scenario);
  const succeedsElsewhere = [needsAnother, needsMail, needsProvider].some((calls) => calls.has(operationId));
  if (statuses.includes(route.success.status) || succeedsElsewhere) return statuses;
  throw new Error(`No request of the case of ${operationId} succeeds: ${statuses.join(', ')}`);
};
