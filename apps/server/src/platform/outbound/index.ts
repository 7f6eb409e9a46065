export { createOutboundDownload, UnchangedFileError, type OutboundDownload } from './outbound-download.ts';
export { createOutboundAgents, type OutboundAgents } from './outbound-agents.ts';
export { OutboundError } from './outbound-error.ts';
export { findOutboundHostError } from './outbound-host.ts';
export { createOutboundSocket } from './outbound-socket.ts';
export { restrictConnections } from './restrict-connections.ts';
export { createOutboundFetch, type OutboundFetch } from './outbound-fetch.ts';
export { findOutboundUrlError, hostOf } from './outbound-url.ts';
export { isLoopbackAddress } from './public-addresses.ts';
