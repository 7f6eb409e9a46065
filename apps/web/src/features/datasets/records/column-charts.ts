import type { FieldProfile, RowFilter } from '@redoubt/contract';
import { formatNumber, type ChartBar } from '@redoubt/ui';
import { toggleValue } from './records-search.ts';

const shorten = (text: string): string => (text.length > 19 ? text.slice(0, 19) : text);

/** The bars of the chart for the profile of a field. */
export const barsOf = ({ histogram, top }: FieldProfile): ChartBar[] =>
  histogram === null
    ? (top ?? []).map(({ value, count }) => ({ label: value === '' ? 'empty text' : value, count }))
    : histogram.map(({ from, below, count }) => ({
        label: `from ${shorten(from)} below ${shorten(below)}`,
        count,
      }));

/**
 * The text below the bars: how many values are distinct and missing, and whether only a sample was counted.
 * @param records the number of records that the profile covers
 */
export const captionOf = (
  { missing, distinct }: FieldProfile,
  records: number,
  isSample: boolean,
): string => {
  const share = records === 0 ? 0 : Math.round((missing / records) * 100);
  const parts = [
    `${formatNumber(distinct)} ${distinct === 1 ? 'value' : 'values'}`,
    ...(missing === 0 ? [] : [`${share === 0 ? '<1' : String(share)} % null`]),
    ...(isSample ? [`from first ${formatNumber(records)}`] : []),
  ];
  return parts.join(' · ');
};

/** Returns the filters after a click on a bar. */
export const filterByBar = (
  filters: readonly RowFilter[],
  { field, histogram, top }: FieldProfile,
  index: number,
): readonly RowFilter[] => {
  const bar = histogram?.[index];
  if (bar !== undefined) {
    const others = filters.filter(
      (one) => one.field !== field || (one.operator !== 'at-least' && one.operator !== 'less-than'),
    );
    return [
      ...others,
      { field, operator: 'at-least', values: [bar.from] },
      { field, operator: 'less-than', values: [bar.below] },
    ];
  }
  const value = top?.[index];
  return value === undefined || value.isCut ? filters : toggleValue(filters, field, value.value);
};
