import Box from '@mui/material/Box';
import type { ReactElement } from 'react';

export type StateSubject = 'absent' | 'rows' | 'search';

const details: Record<StateSubject, ReactElement> = {
  rows: <rect x="10" y="22" width="44" height="8" strokeDasharray="4 3" className="accent" />,
  search: (
    <>
      <circle cx="44" cy="34" r="8" className="accent" />
      <path d="m50 40 6 6" className="accent" />
    </>
  ),
  absent: <path d="M26 20 38 32M38 20 26 32" className="accent" />,
};

/** A drawing of records as lines, with the subject in the accent colour. */
export const StateDrawing = ({ subject }: { subject: StateSubject }): ReactElement => (
  <Box
    component="svg"
    viewBox="0 0 64 52"
    aria-hidden
    sx={{
      width: 64,
      height: 52,
      fill: 'none',
      stroke: 'currentColor',
      strokeWidth: 1.5,
      color: 'text.tertiary',
      mb: 1,
      '& .accent': { stroke: 'var(--mui-palette-primary-main)' },
    }}
  >
    {subject === 'absent' ? (
      <rect x="14" y="6" width="36" height="40" rx="2" strokeDasharray="4 3" />
    ) : (
      <>
        <path d="M10 8h44M10 14h32" />
        <path d={subject === 'rows' ? 'M10 38h44M10 44h28' : 'M10 22h20M10 30h18M10 38h16'} />
      </>
    )}
    {details[subject]}
  </Box>
);
