import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { collectMessages } from './collect-messages.ts';
import { errorMessagesPath, renderErrorMessages } from './render-page.ts';

// Regenerates the page of all error messages. Run it after a change to a message.
writeFileSync(errorMessagesPath, renderErrorMessages(collectMessages(join(import.meta.dirname, '../..'))));
