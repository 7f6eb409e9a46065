import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { WifiOff } from '@redoubt/ui/icons';
import type { ReactElement } from 'react';
import { checkConnection, useConnectionLost } from '../api/connection.ts';
import { shellText } from '../text/shell.ts';

const texts = shellText.offline;

/** A bar above every page while the server cannot be reached. */
export const OfflineBar = (): ReactElement => {
  const isLost = useConnectionLost();
  return (
    <Box role="status" sx={{ gridRow: 1 }}>
      {isLost && (
        <Box
          sx={{
            display: 'flex',
            alignItems: 'center',
            flexWrap: 'wrap',
            columnGap: 1,
            px: 2,
            py: 0.5,
            color: 'warning.main',
            borderBottom: 1,
            borderColor: 'warning.main',
            backgroundColor: (own) => own.vars?.palette.warning.tint,
          }}
        >
          <WifiOff size={16} strokeWidth={1.5} aria-hidden />
          <Box component="strong" sx={{ fontWeight: 500 }}>
            {texts.lost}
          </Box>
          <span>{texts.trying}</span>
          <Button
            size="small"
            variant="text"
            onClick={() => void checkConnection()}
            sx={{ color: 'inherit', textDecoration: 'underline', ml: 'auto' }}
          >
            {texts.tryNow}
          </Button>
        </Box>
      )}
    </Box>
  );
};
