import Box from '@mui/material/Box';
import type { ReactElement } from 'react';

/** The text of a value as the grid and the clipboard show it; objects and lists as JSON. */
export const formatValue = (value: unknown): string => {
  if (value === null || value === undefined) return '';
  if (typeof value === 'string') return value;
  if (typeof value === 'object') return JSON.stringify(value);
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : '';
};

const markSx = { fontStyle: 'italic', color: 'text.tertiary' };

/** A value in a cell: null, missing, empty text, 0 and false all look different. */
export const CellText = ({ value }: { value: unknown }): ReactElement => {
  if (value === undefined) {
    return (
      <Box component="span" sx={{ color: 'text.tertiary' }} aria-label="missing">
        –
      </Box>
    );
  }
  if (value === null) {
    return (
      <Box component="span" sx={markSx}>
        null
      </Box>
    );
  }
  if (value === '') {
    return (
      <Box component="code" sx={{ color: 'text.tertiary' }} aria-label="empty text">
        ""
      </Box>
    );
  }
  return <bdi>{formatValue(value)}</bdi>;
};
