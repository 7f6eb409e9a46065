import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import type { ReactElement, ReactNode } from 'react';

interface PageHeaderProps {
  title: ReactNode;
  /** One line of facts below the title. */
  facts?: ReactNode;
  /** Buttons at the right, the primary one last. */
  actions?: ReactNode;
}

/** The header of a page: its title, facts and actions. On a phone the actions are below the title. */
export const PageHeader = ({ title, facts, actions }: PageHeaderProps): ReactElement => (
  <Box
    sx={{
      display: 'flex',
      flexDirection: { xs: 'column', sm: 'row' },
      alignItems: { xs: 'stretch', sm: 'flex-start' },
      columnGap: 2,
      rowGap: 1,
      mb: 2,
    }}
  >
    <Box sx={{ flex: 1, minWidth: 0 }}>
      <Typography variant="h1" sx={{ overflowWrap: 'anywhere' }}>
        {title}
      </Typography>
      <Typography variant="caption" component="p" sx={{ color: 'text.secondary', minHeight: 16 }}>
        {facts}
      </Typography>
    </Box>
    {actions !== undefined && actions !== false && (
      <Box sx={{ display: 'flex', alignItems: 'center', gap: 1, '& > *': { whiteSpace: 'nowrap' } }}>
        {actions}
      </Box>
    )}
  </Box>
);
