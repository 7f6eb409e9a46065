import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Dialog from '@mui/material/Dialog';
import DialogActions from '@mui/material/DialogActions';
import DialogContent from '@mui/material/DialogContent';
import DialogTitle from '@mui/material/DialogTitle';
import Typography from '@mui/material/Typography';
import type { ReactElement } from 'react';
import type { Action } from '../../actions/action.ts';
import { usePreferences } from '../../preferences/preferences.ts';
import { shellText } from '../../text/shell.ts';
import { Keys } from './Keys.tsx';

const texts = shellText.shortcuts;
const groups = ['page', 'go', 'console'] as const;

/** A list of all shortcuts of the open page. */
export const ShortcutList = ({
  actions,
  onClose,
}: {
  actions: readonly Action[];
  onClose: () => void;
}): ReactElement => {
  const { hasSingleKeys } = usePreferences();
  return (
    <Dialog open onClose={onClose} fullWidth maxWidth="sm" aria-labelledby="shortcuts" transitionDuration={0}>
      <DialogTitle id="shortcuts">{texts.title}</DialogTitle>
      <DialogContent>
        <Typography variant="caption" component="p" sx={{ color: 'text.secondary', mb: 2 }}>
          {hasSingleKeys ? texts.note : texts.off}
        </Typography>
        {groups.map((group) => {
          const shown = actions.filter((action) => action.group === group && action.keys !== undefined);
          if (shown.length === 0) return null;
          return (
            <Box component="section" key={group} sx={{ mb: 2 }}>
              <Typography variant="h2" sx={{ mb: 0.5 }}>
                {texts.groups[group]}
              </Typography>
              <Box component="dl" sx={{ m: 0 }}>
                {shown.map(({ id, title, keys = '' }) => (
                  <Box
                    key={id}
                    sx={{
                      display: 'flex',
                      alignItems: 'center',
                      minHeight: 32,
                      borderBottom: 1,
                      borderColor: 'divider',
                    }}
                  >
                    <Box component="dt" sx={{ flex: 1 }}>
                      {title}
                    </Box>
                    <Box component="dd" sx={{ m: 0 }}>
                      <Keys keys={keys} />
                    </Box>
                  </Box>
                ))}
              </Box>
            </Box>
          );
        })}
      </DialogContent>
      <DialogActions>
        <Button onClick={onClose} autoFocus>
          {texts.close}
        </Button>
      </DialogActions>
    </Dialog>
  );
};
