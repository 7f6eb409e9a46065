import type { FileOptions, LabelVisibility, UploadPreview } from '@redoubt/contract';
import { useQuery } from '@tanstack/react-query';
import { useRef } from 'react';
import { api } from '../../api/client.ts';
import { keys } from '../../api/keys.ts';
import { hasText } from './documents.ts';
import { choiceProblem, toAccessControlLabel, type LabelChoice } from './label-choice.ts';
import { previewRetries } from './preview-retries.ts';
import { useLast } from './use-last.ts';
import { useSettled } from './use-settled.ts';

/** How long a person does not type a label before the rows get it. */
const pauseMilliseconds = 250;
const megabyte = 1024 * 1024;
/** How many bytes of a text file are sent for a preview. */
const beginningBytes = megabyte;
/** The maximum bytes of a file that is sent whole, because its format cannot be read from the beginning alone. */
const wholeBytes = 64 * megabyte;
const wholeFormats = /\.(parquet|orc|avro|arrow|feather|xlsx|zip)$/i;

/** How many bytes from the beginning of the file a preview needs. */
const beginningOf = ({ name, size }: { name: string; size: number }): number =>
  size <= beginningBytes || (wholeFormats.test(name) && size <= wholeBytes) ? size : beginningBytes;

/** Returns a number that identifies a file, because a File object cannot be part of a query key. */
const useFileNumber = (file: File | undefined): number => {
  const numbers = useRef(new WeakMap<File, number>());
  const next = useRef(0);
  if (file === undefined) return 0;
  const known = numbers.current.get(file);
  if (known !== undefined) return known;
  next.current += 1;
  numbers.current.set(file, next.current);
  return next.current;
};

/**
 * The first rows of a file, read and labelled as the upload would. They have no labels while the choice is
 * incomplete. `isOutdated` while they are those of an earlier choice; `known` are the last ones of the file, also if the
 * choice has an error since.
 */
export const usePreview = (file: File | undefined, options: FileOptions, choice: LabelChoice) => {
  const number = useFileNumber(file);
  const settled = useSettled(choice, pauseMilliseconds);
  const label = choiceProblem(settled) === undefined ? toAccessControlLabel(settled) : undefined;
  const query = useQuery<UploadPreview>({
    queryKey: [...keys.previews, number, options, label ?? null],
    enabled: file !== undefined,
    placeholderData: (before: UploadPreview | undefined) => (file === undefined ? undefined : before),
    staleTime: Infinity,
    gcTime: 0,
    ...previewRetries,
    queryFn: async ({ signal }) => {
      if (file === undefined) throw new Error('there is no file');
      const bytes = beginningOf(file);
      const form = new FormData();
      if (label !== undefined) form.set('accessControlLabel', JSON.stringify(label));
      if (Object.keys(options).length > 0) form.set('fileOptions', JSON.stringify(options));
      if (bytes < file.size) form.set('isPartial', 'true');
      form.set('files', file.slice(0, bytes), file.name);
      return api.previewUpload({ body: form }, { signal });
    },
  });
  const last = useLast(query.isPlaceholderData ? undefined : query.data, file);
  return {
    ...query,
    known: query.data ?? last,
    isOutdated: query.isPlaceholderData || settled !== choice,
  };
};

/** The first pages of a document, without text that the import would find in pictures. */
export const useDocumentPreview = (file: File | undefined) => {
  const number = useFileNumber(file);
  return useQuery<UploadPreview>({
    queryKey: [...keys.previews, 'document', number],
    enabled: file !== undefined && file.size <= wholeBytes && hasText(file),
    staleTime: Infinity,
    gcTime: 0,
    ...previewRetries,
    queryFn: async ({ signal }) => {
      if (file === undefined) throw new Error('there is no file');
      const form = new FormData();
      form.set('processAsDocument', 'true');
      form.set('files', file, file.name);
      return api.previewUpload({ body: form }, { signal });
    },
  });
};

/** By label: whether the person satisfies it, and how many people do if the person may know that number. */
export const useLabelVisibility = (
  labels: readonly string[],
  datasetId: string | undefined,
): ReadonlyMap<string, LabelVisibility> => {
  const { data } = useQuery({
    queryKey: [...keys.labelVisibility, datasetId ?? '', labels],
    enabled: labels.length > 0,
    queryFn: () =>
      api.getLabelVisibility({
        body: { labels: [...labels], ...(datasetId !== undefined && { datasetId }) },
      }),
  });
  return new Map(data?.labels.map((one) => [one.label, one]));
};
