import Box from '@mui/material/Box';
import { Fragment, type ReactElement } from 'react';
import { isMac, printKeys } from '../../actions/key-sequences.ts';
import { shellText } from '../../text/shell.ts';

/** The keys of a shortcut, drawn like keys of a keyboard. */
export const Keys = ({ keys }: { keys: string }): ReactElement => (
  <Box component="span" sx={{ display: 'inline-flex', gap: 0.5, alignItems: 'center', flex: 'none' }}>
    {printKeys(keys, isMac()).map((key, at) => (
      <Fragment key={`${String(at)} ${key}`}>
        {at > 0 && !keys.startsWith('Mod+') && (
          <Box component="span" sx={{ fontSize: 12, color: 'text.secondary' }}>
            {shellText.shortcuts.thenPress}
          </Box>
        )}
        <Box
          component="kbd"
          sx={{
            font: 'inherit',
            fontSize: 12,
            lineHeight: '18px',
            minWidth: 20,
            px: 0.5,
            textAlign: 'center',
            border: 1,
            borderColor: 'divider',
            borderRadius: 1,
            color: 'text.secondary',
            backgroundColor: 'background.sunken',
          }}
        >
          {key}
        </Box>
      </Fragment>
    ))}
  </Box>
);
