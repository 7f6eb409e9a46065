import type { FileOptions, LabelVisibility, UploadPreview } from '@redoubt/contract';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useRef } from 'react';
import { api } from '../../api/client.ts';
import { keys } from '../../api/keys.ts';
import { choiceProblem, toAccessControlLabel, type LabelChoice } from './label-choice.ts';

const megabyte = 1024 * 1024;
/** Bytes of a text file that are enough for a preview. */
const beginningBytes = megabyte;
/** Files up to here are sent whole where their beginning alone cannot be read. */
const wholeBytes = 64 * megabyte;
const wholeFormats = /\.(parquet|orc|avro|arrow|feather|xlsx|zip)$/i;

/** The part of a file that a preview needs. */
const beginningOf = ({ name, size }: { name: string; size: number }): number =>
  size <= beginningBytes || (wholeFormats.test(name) && size <= wholeBytes) ? size : beginningBytes;

/** Numbers files, which have no identity of their own in a query key. */
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

/** The first rows of a file, read and labelled as the upload would. A choice that is not complete yet labels nothing. */
export const usePreview = (file: File | undefined, options: FileOptions, choice: LabelChoice) => {
  const number = useFileNumber(file);
  const label = choiceProblem(choice) === undefined ? toAccessControlLabel(choice) : undefined;
  return useQuery<UploadPreview>({
    queryKey: [...keys.previews, number, options, label ?? null],
    enabled: file !== undefined,
    placeholderData: keepPreviousData,
    staleTime: Infinity,
    gcTime: 0,
    retry: false,
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
};

/** Which of the labels the person satisfies, and how many others do where the person may know. */
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
