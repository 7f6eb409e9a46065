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

/** The top of a page: what it is, the facts, and what one can do. */
export const PageHeader = ({ title, facts, actions }: PageHeaderProps): ReactElement => (
  <Box sx={{ display: 'flex', alignItems: 'flex-start', gap: 2, mb: 2, flexWrap: 'wrap' }}>
    <Box sx={{ flex: 1, minWidth: 200 }}>
      <Typography variant="h1" sx={{ overflowWrap: 'anywhere' }}>
        {title}
      </Typography>
      <Typography variant="caption" component="p" sx={{ color: 'text.secondary', minHeight: 16 }}>
        {facts}
      </Typography>
    </Box>
    {actions !== undefined && <Box sx={{ display: 'flex', gap: 1 }}>{actions}</Box>}
  </Box>
);
