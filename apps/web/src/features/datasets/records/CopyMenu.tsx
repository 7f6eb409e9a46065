import { formatNumber, type CopyFormat } from '@redoubt/ui';
import Button from '@mui/material/Button';
import Menu from '@mui/material/Menu';
import MenuItem from '@mui/material/MenuItem';
import { useState, type ReactElement } from 'react';
import { recordsText as texts } from '../../../text/records.ts';

const labels: readonly (readonly [CopyFormat, string])[] = [
  ['tsv', 'Values (Ctrl C)'],
  ['tsv-header', 'Values with column names'],
  ['csv', 'CSV'],
  ['json', 'JSON'],
  ['markdown', 'Markdown table'],
  ['sql', 'List for SQL IN'],
];

/** A menu that copies the selected cells in the chosen format. */
export const CopyMenu = ({
  cells,
  onCopy,
}: {
  cells: number;
  onCopy: (format: CopyFormat) => void;
}): ReactElement => {
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  return (
    <>
      <Button
        aria-haspopup="menu"
        onClick={(event) => setAnchor(event.currentTarget)}
        sx={{ fontVariantNumeric: 'tabular-nums' }}
      >
        {cells === 1 ? texts.copyCell : texts.copyCells(formatNumber(cells))}
      </Button>
      <Menu anchorEl={anchor} open={anchor !== null} onClose={() => setAnchor(null)}>
        {labels.map(([format, label]) => (
          <MenuItem
            key={format}
            dense
            onClick={() => {
              setAnchor(null);
              onCopy(format);
            }}
          >
            {label}
          </MenuItem>
        ))}
      </Menu>
    </>
  );
};
