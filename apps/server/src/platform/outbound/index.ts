export { createOutboundFetch, OutboundError, type OutboundFetch } from './outbound-fetch.ts';
export { findOutboundUrlError } from './outbound-url.ts';
