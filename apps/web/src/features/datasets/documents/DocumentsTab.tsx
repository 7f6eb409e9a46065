import type { Dataset } from '@redoubt/contract';
import { EmptyState, ErrorState, TableSkeleton } from '@redoubt/ui';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import OutlinedInput from '@mui/material/OutlinedInput';
import Typography from '@mui/material/Typography';
import { Link } from '@tanstack/react-router';
import { useState, type ReactElement } from 'react';
import { describeError } from '../../../api/client.ts';
import { documentsText as texts } from '../../../text/documents.ts';
import { useDocumentPages, type DocumentPageRecord } from './documents.ts';

/** The picture of a page, or the beginning of its text where there is none. */
const PageFace = ({ preview, text }: DocumentPageRecord): ReactElement => (
  <Box
    sx={{
      aspectRatio: '4 / 3',
      overflow: 'hidden',
      borderBottom: 1,
      borderColor: 'divider',
      backgroundColor: 'background.sunken',
    }}
  >
    {preview === undefined ? (
      <Typography
        component="p"
        sx={{ p: 1, fontSize: 12, lineHeight: '16px', color: 'text.secondary', whiteSpace: 'pre-line' }}
      >
        <bdi>{text === '' ? texts.noText : text.slice(0, 600)}</bdi>
      </Typography>
    ) : (
      <Box
        component="img"
        alt=""
        src={`data:image/jpeg;base64,${preview}`}
        sx={{ width: '100%', height: '100%', objectFit: 'cover', objectPosition: 'left top' }}
      />
    )}
  </Box>
);

interface DocumentsTabProps {
  dataset: Dataset;
  q: string;
  onSearch: (q: string) => void;
}

/** The documents of a dataset as cards, or the pages that a search matches. */
export const DocumentsTab = ({ dataset, q, onSearch }: DocumentsTabProps): ReactElement => {
  const [typed, setTyped] = useState(q);
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = useDocumentPages(
    dataset.id,
    q,
  );
  const pages = data?.pages.flatMap((loaded) => loaded.pages) ?? [];
  const total = data?.pages[0]?.total ?? 0;
  return (
    <Box sx={{ p: { xs: 2, md: 3 } }}>
      <Box
        component="form"
        role="search"
        sx={{ display: 'flex', gap: 1, alignItems: 'center', flexWrap: 'wrap', mb: 2 }}
        onSubmit={(event) => {
          event.preventDefault();
          onSearch(typed.trim());
        }}
      >
        <OutlinedInput
          value={typed}
          placeholder={texts.searchPlaceholder}
          inputProps={{ 'aria-label': texts.search }}
          onChange={(event) => setTyped(event.target.value)}
          sx={{ flex: '1 1 200px', maxWidth: 400 }}
        />
        <Button type="submit">{texts.submit}</Button>
        {q !== '' && (
          <Button
            variant="text"
            onClick={() => {
              setTyped('');
              onSearch('');
            }}
          >
            {texts.clear}
          </Button>
        )}
        {data !== undefined && (
          <Typography role="status" variant="caption" sx={{ color: 'text.secondary' }}>
            {q === '' ? texts.documentCount(total) : texts.pageCount(total)}
          </Typography>
        )}
      </Box>
      {error !== null && (
        <ErrorState title={texts.failed} {...describeError(error)} onRetry={() => void refetch()} />
      )}
      {data === undefined && error === null && <TableSkeleton label={texts.loading} />}
      {data !== undefined && pages.length === 0 && (
        <EmptyState title={q === '' ? texts.none : texts.noMatch} subject={q === '' ? 'rows' : 'search'}>
          {q === '' ? texts.noneHint : q}
        </EmptyState>
      )}
      <Box
        component="ul"
        aria-label={texts.documents}
        sx={{
          display: 'grid',
          gap: 2,
          gridTemplateColumns: 'repeat(auto-fill, minmax(min(200px, 100%), 1fr))',
          listStyle: 'none',
          p: 0,
          m: 0,
        }}
      >
        {pages.map((page, at) => (
          <Box
            component="li"
            key={`${page.documentId}-${String(page.page)}-${String(at)}`}
            sx={{
              border: 1,
              borderColor: 'divider',
              borderRadius: 1,
              overflow: 'hidden',
              backgroundColor: 'background.paper',
              '&:has(a:hover)': { borderColor: 'primary.main' },
              '& a': { color: 'inherit', textDecoration: 'none', display: 'block' },
            }}
          >
            <Link
              to="/datasets/$id/documents/$documentId"
              params={{ id: dataset.id, documentId: page.documentId }}
              search={{ ...(page.page !== 1 && { page: page.page }), ...(q !== '' && { q }) }}
              aria-label={texts.openPage(page.fileName, page.page)}
            >
              <PageFace {...page} />
              <Box sx={{ p: 1 }}>
                <Box
                  sx={{ overflow: 'hidden', textOverflow: 'ellipsis', whiteSpace: 'nowrap', fontWeight: 500 }}
                >
                  <bdi>{page.fileName}</bdi>
                </Box>
                <Typography variant="caption" sx={{ color: 'text.secondary' }}>
                  {texts.page(page.page)}
                </Typography>
              </Box>
            </Link>
          </Box>
        ))}
      </Box>
      {hasNextPage && (
        <Button sx={{ mt: 2 }} loading={isFetchingNextPage} onClick={() => void fetchNextPage()}>
          {texts.more}
        </Button>
      )}
    </Box>
  );
};
