export { openTls } from './tls.ts';
