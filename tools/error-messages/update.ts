import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { collectMessages } from './collect-messages.ts';
import { errorMessagesPath, renderErrorMessages } from './render-page.ts';

// Writes the page of all error messages: run it after a message has changed.
writeFileSync(errorMessagesPath, renderErrorMessages(collectMessages(join(import.meta.dirname, '../..'))));
