import { download } from './download.ts';
import type { ExportCreate, ExportFormat } from '@redoubt/contract';
import Alert from '@mui/material/Alert';
import Button from '@mui/material/Button';
import ListItemText from '@mui/material/ListItemText';
import Menu from '@mui/material/Menu';
import MenuItem from '@mui/material/MenuItem';
import Snackbar from '@mui/material/Snackbar';
import { useMutation } from '@tanstack/react-query';
import { Download } from '@redoubt/ui/icons';
import { useState, type ReactElement } from 'react';
import { api, describeError } from '../api/client.ts';
import { sqlText as texts } from '../text/sql.ts';

const formats: readonly (readonly [format: ExportFormat, name: string, note: string])[] = [
  ['csv', 'CSV', 'Every value exactly as it is'],
  ['spreadsheet', 'CSV for spreadsheets', 'Texts that would run as formulas begin with an apostrophe'],
  ['lines', 'JSON lines', 'One JSON object on each line'],
  ['parquet', 'Parquet', 'Typed columns'],
];

interface ExportMenuProps {
  /** The query whose rows are exported. */
  query: Pick<ExportCreate, 'body' | 'operation'>;
  fileName: string;
}

/** Downloads all rows of a query in a format that the person chooses. */
export const ExportMenu = ({ query, fileName }: ExportMenuProps): ReactElement => {
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  const prepare = useMutation({
    mutationFn: ({ format, operation, body }: Pick<ExportCreate, 'body' | 'format' | 'operation'>) =>
      api.createExport({
        body: { operation, body, format, fileName: fileName.slice(0, 100) },
      }),
    onSuccess: ({ path }) => download(path),
  });
  return (
    <>
      <Button
        startIcon={<Download size={16} strokeWidth={1.5} aria-hidden />}
        aria-haspopup="menu"
        aria-expanded={anchor !== null}
        disabled={prepare.isPending}
        onClick={(event) => setAnchor(event.currentTarget)}
      >
        {texts.exportAll}
      </Button>
      <Menu anchorEl={anchor} open={anchor !== null} onClose={() => setAnchor(null)}>
        {formats.map(([format, name, note]) => (
          <MenuItem
            key={format}
            dense
            onClick={() => {
              setAnchor(null);
              prepare.mutate({ ...query, format });
            }}
          >
            <ListItemText primary={name} secondary={note} />
          </MenuItem>
        ))}
      </Menu>
      <Snackbar open={prepare.isError} autoHideDuration={10_000} onClose={() => prepare.reset()}>
        <Alert severity="error" variant="outlined" sx={{ backgroundColor: 'background.paper' }}>
          {prepare.isError && texts.exportFailed(describeError(prepare.error).message)}
        </Alert>
      </Snackbar>
    </>
  );
};
