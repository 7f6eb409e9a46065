import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Checkbox from '@mui/material/Checkbox';
import FormControlLabel from '@mui/material/FormControlLabel';
import OutlinedInput from '@mui/material/OutlinedInput';
import Popover from '@mui/material/Popover';
import { formatNumber } from '@redoubt/ui';
import { useState, type ReactElement } from 'react';
import type { ColumnArrangement } from './use-column-layout.ts';
import { recordsText as texts } from '../../../text/records.ts';

/** A menu that shows and hides columns. */
export const ColumnsMenu = ({ arrangement }: { arrangement: ColumnArrangement }): ReactElement => {
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  const [search, setSearch] = useState('');
  const { columns, change, reset } = arrangement;
  const shown = columns.filter(({ isHidden }) => !isHidden).length;
  const found = columns.filter(({ name }) => name.toLowerCase().includes(search.toLowerCase()));
  return (
    <>
      <Button aria-haspopup="dialog" onClick={(event) => setAnchor(event.currentTarget)}>
        {texts.columnsShown(formatNumber(shown), formatNumber(columns.length))}
      </Button>
      <Popover
        open={anchor !== null}
        anchorEl={anchor}
        onClose={() => setAnchor(null)}
        anchorOrigin={{ vertical: 'bottom', horizontal: 'left' }}
      >
        <Box sx={{ p: 1.5, width: 280 }} role="dialog" aria-label={texts.columns}>
          <OutlinedInput
            value={search}
            onChange={(event) => setSearch(event.target.value)}
            placeholder={texts.findColumn}
            inputProps={{ 'aria-label': texts.findColumn }}
            fullWidth
            autoFocus
          />
          <Box sx={{ maxHeight: 320, overflow: 'auto', my: 1, display: 'flex', flexDirection: 'column' }}>
            {found.slice(0, 200).map(({ name, isHidden }) => (
              <FormControlLabel
                key={name}
                control={
                  <Checkbox
                    size="small"
                    checked={!isHidden}
                    onChange={(event) => change(name, { isHidden: !event.target.checked })}
                  />
                }
                label={<bdi>{name}</bdi>}
              />
            ))}
          </Box>
          <Button onClick={reset}>{texts.resetColumns}</Button>
        </Box>
      </Popover>
    </>
  );
};
