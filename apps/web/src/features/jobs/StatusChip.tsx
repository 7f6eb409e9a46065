import type { JobStatus } from '@redoubt/contract';
import Box from '@mui/material/Box';
import { Ban, Check, CircleDashed, Loader, TriangleAlert, type Icon } from '@redoubt/ui/icons';
import type { ReactElement } from 'react';

type Tone = 'error' | 'info' | 'success';

const looks: Record<JobStatus, readonly [name: string, icon: Icon, tone?: Tone]> = {
  queued: ['Queued', CircleDashed],
  running: ['Running', Loader, 'info'],
  completed: ['Completed', Check, 'success'],
  canceled: ['Canceled', Ban],
  failed: ['Failed', TriangleAlert, 'error'],
};

/** The status of a job, as an icon, a word and a colour. */
export const StatusChip = ({ status }: { status: JobStatus }): ReactElement => {
  const [name, Icon, tone] = looks[status];
  return (
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
        fontWeight: 500,
        whiteSpace: 'nowrap',
        color: tone === undefined ? 'text.secondary' : `${tone}.main`,
        backgroundColor: (own) =>
          tone === undefined ? own.vars?.palette.background.chip : own.vars?.palette[tone].tint,
      }}
    >
      <Icon size={12} strokeWidth={2} aria-hidden />
      {name}
    </Box>
  );
};
