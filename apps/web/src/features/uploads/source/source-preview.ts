import type { SourcePreview } from '@redoubt/contract';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { api } from '../../../api/client.ts';
import { keys } from '../../../api/keys.ts';
import { choiceProblem, toAccessControlLabel } from '../label-choice.ts';
import { isDocumentImport, toDataSourceParams, type SourceImport } from './source-import.ts';

/** How long a person does not type before the source is read again. */
const pauseMilliseconds = 600;

/** The value once it has not changed for a while. */
const useSettled = <Value>(value: Value): Value => {
  const [settled, setSettled] = useState(value);
  // The clock of the browser is outside of React.
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), pauseMilliseconds);
    return () => clearTimeout(timer);
  }, [value]);
  return settled;
};

/**
 * The first rows of a source, read and labelled as the import would.
 * @param attempt counts how often the person asked for it, so that a changed source can be read again; 0 for not yet
 */
export const useSourcePreview = (datasetId: string, draft: SourceImport, attempt: number) => {
  const settled = useSettled(draft);
  const { options, choice } = settled;
  // The files of documents are read once, to see that the source has some; their pages are not previewed.
  const isLabelled = !isDocumentImport(settled) && choiceProblem(choice) === undefined;
  const label = isLabelled ? toAccessControlLabel(choice) : undefined;
  return useQuery<SourcePreview>({
    // Secrets stay out of the key: a changed connection is a new attempt.
    queryKey: [...keys.previews, 'source', datasetId, attempt, options, label ?? null],
    enabled: attempt > 0,
    placeholderData: (before: SourcePreview | undefined) => (attempt === 0 ? undefined : before),
    staleTime: Infinity,
    gcTime: 0,
    retry: false,
    queryFn: ({ signal }) =>
      api.previewIngest(
        {
          body: {
            datasetId,
            dataSourceParams: toDataSourceParams(draft),
            ...label,
            ...(Object.keys(options).length > 0 && { fileOptions: options }),
          },
        },
        { signal },
      ),
  });
};
