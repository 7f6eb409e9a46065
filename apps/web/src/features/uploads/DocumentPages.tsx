import type { PreviewRow } from '@redoubt/contract';
import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import type { ReactElement } from 'react';
import { documentsText } from '../../text/documents.ts';
import { uploadsText as texts } from '../../text/uploads.ts';
import { parseRecord } from './known-fields.ts';

/** The maximum number of characters of a page that are shown. */
const maxShownText = 5000;

/** The text of a page, or why it has none. */
const PageText = ({ row }: { row: PreviewRow }): ReactElement => {
  const { text, text_error: textError } = parseRecord(row.record);
  if (row.reason !== null) return <Typography sx={{ color: 'error.main' }}>{row.reason}</Typography>;
  if (typeof textError === 'string')
    return <Typography sx={{ color: 'warning.main' }}>{documentsText.unreadable(textError)}</Typography>;
  if (typeof text !== 'string' || text === '')
    return <Typography sx={{ color: 'text.tertiary', fontStyle: 'italic' }}>{texts.noPageText}</Typography>;
  return (
    <Typography component="p" sx={{ whiteSpace: 'pre-line', overflowWrap: 'anywhere' }}>
      <bdi>{text.length > maxShownText ? `${text.slice(0, maxShownText)}…` : text}</bdi>
    </Typography>
  );
};

/** The text of the first pages of a document, and of documents inside it. */
export const DocumentPages = ({ rows }: { rows: readonly PreviewRow[] }): ReactElement => (
  <Box
    tabIndex={0}
    role="region"
    aria-label={texts.firstPages}
    sx={{ flex: 1, minHeight: 0, mt: 1, overflow: 'auto', borderTop: 1, borderColor: 'divider' }}
  >
    {rows.map((row, index) => {
      const { file_name: name, page } = parseRecord(row.record);
      return (
        <Box
          component="section"
          key={index}
          sx={{ py: 1.5, maxWidth: 720, '& + &': { borderTop: 1, borderColor: 'divider' } }}
        >
          <Typography variant="caption" component="h3" sx={{ mb: 0.5, color: 'text.secondary' }}>
            <bdi>{typeof name === 'string' ? name : ''}</bdi>
            {typeof page === 'number' && ` · ${documentsText.page(page)}`}
          </Typography>
          <PageText row={row} />
        </Box>
      );
    })}
  </Box>
);
