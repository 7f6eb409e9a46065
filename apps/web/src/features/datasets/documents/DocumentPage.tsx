import { ErrorState, InlineError, PageHeader, TableSkeleton } from '@redoubt/ui';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import IconButton from '@mui/material/IconButton';
import OutlinedInput from '@mui/material/OutlinedInput';
import Typography from '@mui/material/Typography';
import { useMutation } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { ChevronLeft, ChevronRight } from 'lucide-react';
import { useState, type ReactElement } from 'react';
import { api, describeError } from '../../../api/client.ts';
import { AbsentPage } from '../../../parts/AbsentPage.tsx';
import { download } from '../../../parts/download.ts';
import { LinkButton } from '../../../parts/LinkButton.tsx';
import { documentsText as texts } from '../../../text/documents.ts';
import { useDocumentPage, useMatches, useNeighbors } from './documents.ts';
import { markedParts, type Range } from './page-marks.ts';
import { PagePicture } from './PagePicture.tsx';

const route = getRouteApi('/datasets/$id/documents/$documentId');
const noRanges: readonly Range[] = [];

/** The reader of a document: the picture of a page beside its text, with the matches of a search on both. */
export const DocumentPage = (): ReactElement => {
  const { id: datasetId, documentId } = route.useParams();
  const { page: number = 1, q = '' } = route.useSearch();
  const navigate = route.useNavigate();
  const [typed, setTyped] = useState(q);
  const { data: page, error, refetch } = useDocumentPage(datasetId, documentId, number);
  const neighbors = useNeighbors(datasetId, documentId, number);
  const matches = useMatches(datasetId, documentId, number, q);
  const open = useMutation({
    mutationFn: () => api.serveMedia({ params: { datasetId }, query: { documentId, download: true } }),
    onSuccess: ({ url }) => download(new URL(url).pathname),
  });
  if (error !== null) {
    return (
      <Box sx={{ p: 3 }}>
        <ErrorState title={texts.pageFailed} {...describeError(error)} onRetry={() => void refetch()} />
      </Box>
    );
  }
  if (page === null) {
    return (
      <AbsentPage title={texts.absent} hint={texts.absentHint}>
        <LinkButton to="/datasets">{texts.openDatasets}</LinkButton>
      </AbsentPage>
    );
  }
  if (page === undefined) return <TableSkeleton label={texts.loadingPage} hasTitle />;
  const ranges = q === '' ? noRanges : (matches.data ?? noRanges);
  const go = (to: number | undefined): void => {
    if (to !== undefined) void navigate({ search: { page: to, ...(q !== '' && { q }) } });
  };
  const { before, after } = neighbors.data ?? {};
  return (
    <Box sx={{ p: { xs: 2, md: 3 } }}>
      <title>{texts.pageTitle(page.fileName)}</title>
      <PageHeader
        title={<bdi>{page.fileName}</bdi>}
        facts={texts.page(page.page)}
        actions={
          <>
            <IconButton
              aria-label={texts.previous}
              title={texts.previous}
              disabled={before === undefined}
              onClick={() => go(before)}
            >
              <ChevronLeft size={16} strokeWidth={1.5} aria-hidden />
            </IconButton>
            <IconButton
              aria-label={texts.next}
              title={texts.next}
              disabled={after === undefined}
              onClick={() => go(after)}
            >
              <ChevronRight size={16} strokeWidth={1.5} aria-hidden />
            </IconButton>
            <LinkButton to="/datasets/$id" params={{ id: datasetId }} search={{ tab: 'documents' }}>
              {texts.back}
            </LinkButton>
            <Button loading={open.isPending} onClick={() => open.mutate()}>
              {texts.download}
            </Button>
          </>
        }
      />
      {open.error !== null && <InlineError message={describeError(open.error).message} />}
      <Box
        component="form"
        role="search"
        sx={{ display: 'flex', gap: 1, alignItems: 'center', flexWrap: 'wrap', mb: 2 }}
        onSubmit={(event) => {
          event.preventDefault();
          const sought = typed.trim();
          void navigate({
            search: { ...(number !== 1 && { page: number }), ...(sought !== '' && { q: sought }) },
          });
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
        {q !== '' && matches.data !== undefined && (
          <Typography role="status" variant="caption" sx={{ color: 'text.secondary' }}>
            {texts.marks(ranges.length)}
          </Typography>
        )}
      </Box>
      {matches.error !== null && <ErrorState title={texts.wrongSearch} {...describeError(matches.error)} />}
      <Box
        sx={{
          display: 'grid',
          gap: 3,
          alignItems: 'start',
          gridTemplateColumns: { xs: 'minmax(0, 1fr)', md: 'minmax(0, 3fr) minmax(0, 2fr)' },
        }}
      >
        <PagePicture datasetId={datasetId} page={page} ranges={ranges} />
        <Box
          component="section"
          aria-label={texts.text}
          sx={{ overflowWrap: 'anywhere', whiteSpace: 'pre-line' }}
        >
          {page.text === '' ? (
            <Typography sx={{ color: 'text.tertiary', fontStyle: 'italic' }}>{texts.noText}</Typography>
          ) : (
            <bdi>
              {markedParts(page.text, ranges).map((part, at) =>
                part.isMarked ? (
                  <Box
                    component="mark"
                    key={at}
                    sx={{
                      color: 'text.primary',
                      fontWeight: 500,
                      backgroundColor: (own) => own.vars?.palette.warning.tint,
                    }}
                  >
                    {part.text}
                  </Box>
                ) : (
                  <span key={at}>{part.text}</span>
                ),
              )}
            </bdi>
          )}
        </Box>
      </Box>
    </Box>
  );
};
