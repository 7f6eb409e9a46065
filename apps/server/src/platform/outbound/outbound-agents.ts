import { Agent } from 'node:http';
import { Agent as SecureAgent } from 'node:https';
import { isIP } from 'node:net';
import { checkedLookup } from './checked-lookup.ts';
import { OutboundError } from './outbound-error.ts';
import { isPublicAddress } from './public-addresses.ts';

/** Agents for clients that make their own calls. Each of their connections goes to an address that may be called. */
export interface OutboundAgents {
  httpAgent: Agent;
  httpsAgent: SecureAgent;
}

/**
 * @param allowsPrivate whether addresses of private networks and of this machine may be called
 * @param isForbidden whether an address may not be called by these agents, even if it is public
 */
export const createOutboundAgents = (
  allowsPrivate: boolean,
  isForbidden: (address: string) => boolean = () => false,
): OutboundAgents => {
  const mayCall = (address: string): boolean =>
    (allowsPrivate || isPublicAddress(address)) && !isForbidden(address);
  const lookup = checkedLookup(mayCall);
  /** Node.js resolves no IP address, so the lookup does not see it. */
  const check = (host: string | null | undefined): void => {
    if (typeof host === 'string' && isIP(host) !== 0 && !mayCall(host))
      throw new OutboundError(`The address ${host} may not be called by this server`);
  };
  const options = { lookup, keepAlive: true, maxSockets: 4 };
  const httpAgent = new Agent(options);
  const httpsAgent = new SecureAgent(options);
  for (const agent of [httpAgent, httpsAgent]) {
    const connect = agent.createConnection.bind(agent);
    agent.createConnection = (target, done) => {
      check(target.host);
      return connect(target, done);
    };
  }
  return { httpAgent, httpsAgent };
};
