import Box from '@mui/material/Box';
import type { ReactElement, ReactNode } from 'react';

/** The meaning of a state, which decides the colour of its chip. */
export type ChipTone = 'neutral' | 'success' | 'warning' | 'error' | 'info';

interface StateChipProps {
  tone: ChipTone;
  /** An icon of 12 px, because colour alone must not carry the meaning. */
  icon?: ReactNode;
  children: ReactNode;
}

/** The state of something as a coloured word, with an icon. */
export const StateChip = ({ tone, icon, children }: StateChipProps): ReactElement => (
  <Box
    component="span"
    sx={{
      display: 'inline-flex',
      alignItems: 'center',
      gap: 0.5,
      height: 20,
      px: 0.75,
      borderRadius: 1,
      fontSize: 12,
      lineHeight: '16px',
      fontWeight: 500,
      whiteSpace: 'nowrap',
      color: tone === 'neutral' ? 'text.secondary' : `${tone}.main`,
      backgroundColor: (own) =>
        tone === 'neutral' ? own.vars?.palette.background.chip : own.vars?.palette[tone].tint,
    }}
  >
    {icon}
    {children}
  </Box>
);
