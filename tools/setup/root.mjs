import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The folder that holds the whole house. */
export const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

/** What set-up brings beside node_modules: Node.js itself and its notes on what is done. */
export const broughtFolder = join(root, '.redoubt');
