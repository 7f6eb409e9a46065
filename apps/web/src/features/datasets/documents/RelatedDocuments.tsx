import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import type { ReactElement } from 'react';
import { LinkButton } from '../../../parts/LinkButton.tsx';
import { documentsText as texts } from '../../../text/documents.ts';
import { useRelatedDocuments, type DocumentPageRecord } from './documents.ts';

interface RelatedDocumentsProps {
  datasetId: string;
  page: DocumentPageRecord;
}

/** Links to the mail that a document is attached to, and to the documents inside it. Nothing where there are none. */
export const RelatedDocuments = ({ datasetId, page }: RelatedDocumentsProps): ReactElement | null => {
  const { data } = useRelatedDocuments(datasetId, page);
  if (data === undefined) return null;
  const { outer, inner } = data;
  const groups = [
    { title: texts.partOf, documents: outer === undefined ? [] : [outer] },
    { title: texts.inside, documents: inner },
  ].filter(({ documents }) => documents.length > 0);
  return groups.length === 0 ? null : (
    <Box component="nav" aria-label={texts.related} sx={{ mb: 2 }}>
      {groups.map(({ title, documents }) => (
        <Box key={title} sx={{ display: 'flex', gap: 1, alignItems: 'center', flexWrap: 'wrap' }}>
          <Typography variant="caption" sx={{ color: 'text.secondary' }}>
            {title}
          </Typography>
          {documents.map(({ documentId, fileName }) => (
            <LinkButton
              key={documentId}
              size="small"
              to="/datasets/$id/documents/$documentId"
              params={{ id: datasetId, documentId }}
            >
              <bdi>{fileName}</bdi>
            </LinkButton>
          ))}
        </Box>
      ))}
    </Box>
  );
};
