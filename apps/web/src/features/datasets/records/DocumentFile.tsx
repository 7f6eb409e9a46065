import { RedoubtError } from '@redoubt/errors';
import { InlineError } from '@redoubt/ui';
import Button from '@mui/material/Button';
import { useMutation } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { api, describeError } from '../../../api/client.ts';
import { download } from '../../../parts/download.ts';
import { recordsText as texts } from '../../../text/records.ts';

interface DocumentFileProps {
  datasetId: string;
  documentId: string;
}

/** Downloads the file that the pages of a document were read from. Its address is valid for minutes, so it is asked for now. */
export const DocumentFile = ({ datasetId, documentId }: DocumentFileProps): ReactElement => {
  const open = useMutation({
    mutationFn: () => api.serveMedia({ params: { datasetId }, query: { documentId, download: true } }),
    onSuccess: ({ url }) => download(new URL(url).pathname),
  });
  const isAbsent = open.error instanceof RedoubtError && open.error.code === 404;
  return (
    <>
      <Button loading={open.isPending} onClick={() => open.mutate()} sx={{ mb: 1 }}>
        {texts.downloadFile}
      </Button>
      {open.error !== null && (
        <InlineError message={isAbsent ? texts.noFile : describeError(open.error).message} />
      )}
    </>
  );
};
