import type { LabelVisibility, PreviewRow, UploadPreview } from '@redoubt/contract';
import { formatNumber, StateChip, tableSx } from '@redoubt/ui';
import Box from '@mui/material/Box';
import Table from '@mui/material/Table';
import TableBody from '@mui/material/TableBody';
import TableCell from '@mui/material/TableCell';
import TableHead from '@mui/material/TableHead';
import TableRow from '@mui/material/TableRow';
import { Ban, Eye, EyeOff, TriangleAlert } from '@redoubt/ui/icons';
import type { ReactElement } from 'react';
import { uploadsText as texts } from '../../text/uploads.ts';
import { knownFields, parseRecord } from './known-fields.ts';

const icon = { size: 12, strokeWidth: 2, 'aria-hidden': true } as const;

const RowState = ({
  row,
  visibility,
}: {
  row: PreviewRow;
  visibility: LabelVisibility | undefined;
}): ReactElement => {
  if (row.outcome === 'rejected') {
    return (
      <StateChip tone="error" icon={<TriangleAlert {...icon} />}>
        {texts.rejected}
      </StateChip>
    );
  }
  if (row.outcome === 'dropped') {
    return (
      <StateChip tone="neutral" icon={<Ban {...icon} />}>
        {texts.leftOut}
      </StateChip>
    );
  }
  if (visibility === undefined) return <StateChip tone="neutral">…</StateChip>;
  return visibility.isVisible ? (
    <StateChip tone="success" icon={<Eye {...icon} />}>
      {texts.youSeeIt}
    </StateChip>
  ) : (
    <StateChip tone="warning" icon={<EyeOff {...icon} />}>
      {texts.hiddenFromYou}
    </StateChip>
  );
};

const readersText = (visibility: LabelVisibility | undefined): string => {
  const readers = visibility?.readers ?? null;
  return readers === null ? '–' : formatNumber(readers);
};

const LabelText = ({ row }: { row: PreviewRow }): ReactElement => {
  if (row.label === null) return <span aria-label={texts.noLabelOfRow}>–</span>;
  return row.label === '' ? (
    <Box component="span" sx={{ fontStyle: 'italic', color: 'text.tertiary' }}>
      {texts.everyone}
    </Box>
  ) : (
    <Box component="code" sx={{ overflowWrap: 'anywhere' }}>
      {row.label}
    </Box>
  );
};

const maxCellLength = 200;

const cellText = (value: unknown): string => {
  if (value === undefined) return '';
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
  return text.length > maxCellLength ? `${text.slice(0, maxCellLength)}…` : text;
};

/** The columns of the file or, for formats without columns, the keys of the first records. */
const columnsOf = (preview: UploadPreview): readonly { name: string; type: string }[] =>
  preview.columns ?? knownFields(preview).names.map((name) => ({ name, type: '' }));

/** The maximum number of columns that are drawn, because files can have thousands. */
const maxColumns = 60;

interface PreviewTableProps {
  preview: UploadPreview;
  /** By label. Undefined while the choice of labels is incomplete, because then it is unknown who will see a row. */
  visibility: ReadonlyMap<string, LabelVisibility> | undefined;
}

/** The first rows with their types and labels, and whether they will be visible to the person. Without rows there is no table. */
export const PreviewTable = ({ preview, visibility }: PreviewTableProps): ReactElement | null => {
  const all = columnsOf(preview);
  const columns = all.slice(0, maxColumns);
  if (preview.rows.length === 0) return null;
  const showsReaders = [...(visibility?.values() ?? [])].some(({ readers }) => readers !== null);
  return (
    <Box
      tabIndex={0}
      role="region"
      aria-label={texts.firstRows}
      sx={{
        overflow: 'auto',
        flex: 1,
        minHeight: 0,
        ...tableSx,
        '& td, & th': { whiteSpace: 'nowrap', py: 0.5 },
      }}
    >
      <Table size="small" stickyHeader aria-label={texts.firstRows}>
        <TableHead>
          <TableRow>
            <TableCell align="right">{texts.line}</TableCell>
            <TableCell>{texts.you}</TableCell>
            {showsReaders && <TableCell align="right">{texts.readers}</TableCell>}
            <TableCell>{texts.label}</TableCell>
            {columns.map(({ name, type }) => (
              <TableCell key={name}>
                <bdi>{name}</bdi>{' '}
                <Box component="span" sx={{ color: 'text.tertiary', fontWeight: 400 }}>
                  {type}
                </Box>
              </TableCell>
            ))}
            {all.length > columns.length && (
              <TableCell>{texts.moreColumns(formatNumber(all.length - columns.length))}</TableCell>
            )}
          </TableRow>
        </TableHead>
        <TableBody>
          {preview.rows.map((row, index) => {
            const seen = row.label === null ? undefined : visibility?.get(row.label);
            const record = parseRecord(row.record);
            return (
              <TableRow key={index} sx={{ '&:last-child td': { borderBottom: 1, borderColor: 'divider' } }}>
                <TableCell align="right" sx={{ color: 'text.secondary' }}>
                  {formatNumber(row.line)}
                </TableCell>
                <TableCell>
                  <RowState row={row} visibility={seen} />
                </TableCell>
                {showsReaders && <TableCell align="right">{readersText(seen)}</TableCell>}
                <TableCell sx={{ maxWidth: 240 }}>
                  {visibility === undefined ? '…' : <LabelText row={row} />}
                </TableCell>
                {row.outcome === 'rejected' ? (
                  <TableCell colSpan={columns.length} sx={{ color: 'error.main' }}>
                    <Box sx={{ maxWidth: 560, whiteSpace: 'normal', overflowWrap: 'anywhere' }}>
                      {row.reason}{' '}
                      <Box component="code" sx={{ color: 'text.secondary' }}>
                        <bdi>{cellText(row.text ?? '')}</bdi>
                      </Box>
                    </Box>
                  </TableCell>
                ) : (
                  columns.map(({ name }) => (
                    <TableCell
                      key={name}
                      align={typeof record[name] === 'number' ? 'right' : 'left'}
                      sx={{ maxWidth: 320, overflow: 'hidden', textOverflow: 'ellipsis' }}
                    >
                      {record[name] === null ? (
                        <Box component="span" sx={{ fontStyle: 'italic', color: 'text.tertiary' }}>
                          {texts.nullText}
                        </Box>
                      ) : (
                        <bdi>{cellText(record[name])}</bdi>
                      )}
                    </TableCell>
                  ))
                )}
              </TableRow>
            );
          })}
        </TableBody>
      </Table>
    </Box>
  );
};
