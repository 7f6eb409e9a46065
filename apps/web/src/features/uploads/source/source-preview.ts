import type { SourcePreview } from '@redoubt/contract';
import { useQuery } from '@tanstack/react-query';
import { api } from '../../../api/client.ts';
import { keys } from '../../../api/keys.ts';
import { choiceProblem, toAccessControlLabel } from '../label-choice.ts';
import { previewRetries } from '../preview-retries.ts';
import { useLast } from '../use-last.ts';
import { useSettled } from '../use-settled.ts';
import { isDocumentImport, toDataSourceParams, type SourceImport } from './source-import.ts';

/** How long a person does not type before the source is read again. */
const pauseMilliseconds = 600;

/**
 * The first rows or pages of a source, read and labelled as the import would. `isOutdated` while they are those of an earlier choice;
 * `known` are the last ones of the source, also if the choice has an error since.
 * @param attempt counts how often the person asked for it, so that a changed source can be read again; 0 for not yet
 */
export const useSourcePreview = (datasetId: string, draft: SourceImport, attempt: number) => {
  const settled = useSettled(draft, pauseMilliseconds);
  const { options, choice } = settled;
  const isDocument = isDocumentImport(settled);
  // All pages get the same label, so they are not read again for another one.
  const isLabelled = !isDocument && choiceProblem(choice) === undefined;
  const label = isLabelled ? toAccessControlLabel(choice) : undefined;
  const query = useQuery<SourcePreview>({
    // Secrets stay out of the key: a changed connection is a new attempt.
    queryKey: [...keys.previews, 'source', datasetId, attempt, options, label ?? null, isDocument],
    enabled: attempt > 0,
    placeholderData: (before: SourcePreview | undefined, query) =>
      attempt === 0 || query?.queryKey.at(-1) !== isDocument ? undefined : before,
    staleTime: Infinity,
    gcTime: 0,
    ...previewRetries,
    queryFn: ({ signal }) =>
      api.previewIngest(
        {
          body: {
            datasetId,
            dataSourceParams: toDataSourceParams(draft),
            ...label,
            ...(isDocument && { processAsDocument: true }),
            ...(Object.keys(options).length > 0 && { fileOptions: options }),
          },
        },
        { signal },
      ),
  });
  const isSettled = options === draft.options && choice === draft.choice;
  const last = useLast(
    query.isPlaceholderData ? undefined : query.data,
    `${String(attempt)} ${String(isDocument)}`,
  );
  return { ...query, known: query.data ?? last, isOutdated: query.isPlaceholderData || !isSettled };
};
