import { ErrorState, InlineError, MarkedText, PageHeader, TableSkeleton, type TextRange } from '@redoubt/ui';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import IconButton from '@mui/material/IconButton';
import OutlinedInput from '@mui/material/OutlinedInput';
import Typography from '@mui/material/Typography';
import { useMutation } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { ChevronLeft, ChevronRight } from '@redoubt/ui/icons';
import { useRef, useState, type ReactElement, type RefObject } from 'react';
import { usePageActions } from '../../../actions/page-actions.ts';
import { api, describeError } from '../../../api/client.ts';
import { AbsentPage } from '../../../parts/AbsentPage.tsx';
import { download } from '../../../parts/download.ts';
import { LinkButton } from '../../../parts/LinkButton.tsx';
import { documentsText as texts } from '../../../text/documents.ts';
import { useDocumentPage, useMatches, useNeighbors } from './documents.ts';
import { PagePicture } from './PagePicture.tsx';
import { RelatedDocuments } from './RelatedDocuments.tsx';

const route = getRouteApi('/datasets/$id/documents/$documentId');
const noRanges: readonly TextRange[] = [];

interface PageSearchProps {
  q: string;
  fieldRef: RefObject<HTMLInputElement | null>;
  onSearch: (q: string) => void;
}

const PageSearch = ({ q, fieldRef, onSearch }: PageSearchProps): ReactElement => {
  const [typed, setTyped] = useState(q);
  return (
    <Box
      component="form"
      role="search"
      sx={{ display: 'flex', gap: 1, flex: '1 1 240px', maxWidth: 480 }}
      onSubmit={(event) => {
        event.preventDefault();
        onSearch(typed.trim());
      }}
    >
      <OutlinedInput
        value={typed}
        placeholder={texts.searchPlaceholder}
        inputRef={fieldRef}
        inputProps={{ 'aria-label': texts.search }}
        onChange={(event) => setTyped(event.target.value)}
        sx={{ flex: 1 }}
      />
      <Button type="submit">{texts.submit}</Button>
    </Box>
  );
};

/** The reader of a document: the picture of a page beside its text, with the matches of a search on both. */
export const DocumentPage = (): ReactElement => {
  const { id: datasetId, documentId } = route.useParams();
  const { page: number = 1, q = '' } = route.useSearch();
  const navigate = route.useNavigate();
  const { data: page, error, refetch, isPlaceholderData } = useDocumentPage(datasetId, documentId, number);
  const { before, after, total } = useNeighbors(datasetId, documentId, number);
  const matches = useMatches(datasetId, documentId, number, q);
  const open = useMutation({
    mutationFn: () => api.serveMedia({ params: { datasetId }, query: { documentId, download: true } }),
    onSuccess: ({ url }) => download(new URL(url).pathname),
  });
  const go = (to: number | undefined): void => {
    if (to !== undefined)
      void navigate({ search: { ...(to !== 1 && { page: to }), ...(q !== '' && { q }) } });
  };
  const searchField = useRef<HTMLInputElement>(null);
  usePageActions([
    { id: 'document.next', title: texts.next, keys: 'j', run: () => go(after) },
    { id: 'document.previous', title: texts.previous, keys: 'k', run: () => go(before) },
    { id: 'document.search', title: texts.search, keys: '/', run: () => searchField.current?.focus() },
  ]);
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
        <LinkButton to="/datasets/$id" params={{ id: datasetId }} search={{ tab: 'documents' }}>
          {texts.back}
        </LinkButton>
      </AbsentPage>
    );
  }
  if (page === undefined) return <TableSkeleton label={texts.loadingPage} hasTitle />;
  // While the next page is loading, the text is still that of the previous one.
  const ranges = q === '' || isPlaceholderData ? noRanges : (matches.data ?? noRanges);
  return (
    <Box sx={{ p: { xs: 2, md: 3 } }}>
      <title>{texts.pageTitle(page.fileName)}</title>
      <PageHeader
        title={<bdi>{page.fileName}</bdi>}
        facts={total === undefined ? texts.page(number) : texts.pageOf(number, total)}
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
      <RelatedDocuments datasetId={datasetId} page={page} />
      <Box sx={{ display: 'flex', gap: 1, alignItems: 'center', flexWrap: 'wrap', mb: 2 }}>
        <PageSearch
          key={q}
          q={q}
          fieldRef={searchField}
          onSearch={(sought) =>
            void navigate({
              search: { ...(number !== 1 && { page: number }), ...(sought !== '' && { q: sought }) },
            })
          }
        />
        {q !== '' && matches.data !== undefined && !isPlaceholderData && (
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
          gridTemplateColumns: {
            xs: 'minmax(0, 1fr)',
            md: page.hasPicture ? 'minmax(0, 3fr) minmax(0, 2fr)' : 'minmax(0, 720px)',
          },
        }}
      >
        {page.hasPicture && <PagePicture datasetId={datasetId} page={page} ranges={ranges} />}
        <Box
          component="section"
          aria-label={texts.text}
          sx={{ overflowWrap: 'anywhere', whiteSpace: 'pre-line' }}
        >
          {page.text === '' ? (
            <Typography sx={{ color: 'text.tertiary', fontStyle: 'italic' }}>
              {page.textError === '' ? texts.noText : texts.unreadable(page.textError)}
            </Typography>
          ) : (
            <MarkedText text={page.text} ranges={ranges} />
          )}
        </Box>
      </Box>
    </Box>
  );
};
