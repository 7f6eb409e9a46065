import { maxPreviewRows, type LabelVisibility, type UploadPreview } from '@redoubt/contract';
import { formatNumber } from '@redoubt/ui';

/** Says in a sentence how many of the first rows are stored, visible and rejected. */
export const describePreview = (
  { rows, format }: UploadPreview,
  /** By label. Undefined while the choice of labels is incomplete. */
  visibility: ReadonlyMap<string, LabelVisibility> | undefined,
): string => {
  const stored = rows.filter(({ label }) => label !== null);
  const seen = stored.filter(({ label }) => label !== null && visibility?.get(label)?.isVisible === true);
  if (rows.length === 0) return `${format.toUpperCase()}, no rows`;
  const count = (outcome: string): number => rows.filter((row) => row.outcome === outcome).length;
  if (visibility === undefined) {
    return `${format.toUpperCase()}, first ${formatNumber(rows.length)} rows · the label is not complete yet`;
  }
  const parts = [
    `${format.toUpperCase()}, first ${formatNumber(rows.length)} rows`,
    `${formatNumber(stored.length)} stored`,
    `you will see ${formatNumber(seen.length)}`,
    ...(count('dropped') > 0 ? [`${formatNumber(count('dropped'))} left out`] : []),
    ...(count('rejected') > 0 ? [`${formatNumber(count('rejected'))} rejected`] : []),
  ];
  return parts.join(' · ');
};

/** Says how many pages of a document are shown, and whether there can be more. */
export const describePages = ({ rows, format, error }: UploadPreview): string => {
  const mayGoOn = rows.length === maxPreviewRows || error !== null;
  const pages = `${formatNumber(rows.length)} ${rows.length === 1 ? 'page' : 'pages'}`;
  return `${format.toUpperCase()}, ${mayGoOn ? 'first ' : ''}${pages}`;
};
