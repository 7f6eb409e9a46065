export { openTls, type Tls } from './tls.ts';
