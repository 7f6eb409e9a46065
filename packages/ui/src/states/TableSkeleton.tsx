import Box from '@mui/material/Box';
import type { ReactElement } from 'react';

interface TableSkeletonProps {
  /** Says what is being loaded, for screen readers. */
  label: string;
  /** The relative widths of the columns. */
  columns?: readonly number[];
  rows?: number;
  /** Whether the placeholder includes a title and facts. */
  hasTitle?: boolean;
}

const bar = (width: number | string, height: number): ReactElement => (
  <Box sx={{ width, height, borderRadius: 1, backgroundColor: 'background.chip' }} />
);
const usualColumns = [4, 2, 1, 1] as const;

/** A placeholder for a table that is being loaded. It appears after 200 ms, so that fast pages do not flicker. */
export const TableSkeleton = ({
  label,
  columns = usualColumns,
  rows = 8,
  hasTitle = false,
}: TableSkeletonProps): ReactElement => (
  <Box
    role="status"
    aria-label={label}
    aria-busy
    sx={{
      animation: 'redoubt-appear 120ms ease-out 200ms both',
      '@keyframes redoubt-appear': { from: { opacity: 0 } },
      ...(hasTitle && { p: { xs: 2, md: 3 } }),
    }}
  >
    {hasTitle && (
      <Box sx={{ display: 'grid', gap: 1, mb: 2 }}>
        {bar(240, 28)}
        {bar(160, 12)}
      </Box>
    )}
    <Box sx={{ height: 32, backgroundColor: 'background.sunken', borderBottom: 1, borderColor: 'divider' }} />
    {Array.from({ length: rows }, (_, row) => (
      <Box
        key={row}
        sx={{
          display: 'grid',
          alignItems: 'center',
          gridTemplateColumns: columns.map((share) => `${String(share)}fr`).join(' '),
          gap: 3,
          px: 1.5,
          height: 36,
          borderBottom: 1,
          borderColor: 'divider',
        }}
      >
        {columns.map((share, column) => (
          <Box key={`${String(column)} ${String(share)}`}>
            {bar(`${String(40 + ((row * 7 + column * 13) % 40))}%`, 8)}
          </Box>
        ))}
      </Box>
    ))}
  </Box>
);
