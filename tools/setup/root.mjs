import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The folder of the repository. */
export const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

/** The folder for what set-up installs outside node_modules: Node.js and native libraries. */
export const broughtFolder = join(root, '.redoubt');
