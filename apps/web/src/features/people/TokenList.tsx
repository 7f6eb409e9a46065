import Box from '@mui/material/Box';
import type { ReactElement } from 'react';
import { peopleText as texts } from '../../text/people.ts';

/** The tokens of attributes as chips. */
export const TokenList = ({ tokens }: { tokens: readonly string[] }): ReactElement => (
  <Box sx={{ display: 'flex', gap: 0.5, flexWrap: 'wrap' }}>
    {tokens.length === 0 && <span aria-label={texts.none}>–</span>}
    {tokens.map((token) => (
      <Box
        key={token}
        component="code"
        sx={{
          fontSize: 12,
          px: 0.75,
          borderRadius: 1,
          backgroundColor: 'background.chip',
          color: 'text.secondary',
        }}
      >
        <bdi>{token}</bdi>
      </Box>
    ))}
  </Box>
);
