export { createOutboundFetch, OutboundError, type OutboundFetch } from './outbound-fetch.ts';
export { outboundFault } from './outbound-url.ts';
