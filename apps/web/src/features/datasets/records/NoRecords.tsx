import type { RowFilter } from '@redoubt/contract';
import { EmptyState } from '@redoubt/ui';
import Button from '@mui/material/Button';
import type { ReactElement } from 'react';
import { describeFilter } from './records-search.ts';
import { recordsText as texts } from '../../../text/records.ts';

interface NoRecordsProps {
  q: string;
  filters: readonly RowFilter[];
  /** Removes the search and all filters. */
  onClear: () => void;
}

/** Replaces the rows if there are none, and says how to add some or what was searched for. */
export const NoRecords = ({ q, filters, onClear }: NoRecordsProps): ReactElement =>
  q === '' && filters.length === 0 ? (
    <EmptyState title={texts.noRecords}>{texts.noRecordsHint}</EmptyState>
  ) : (
    <EmptyState
      title={texts.noMatch}
      subject="search"
      action={<Button onClick={onClear}>{texts.clearConditions}</Button>}
    >
      {[...(q === '' ? [] : [q]), ...filters.map(describeFilter)].join(' · ')}
    </EmptyState>
  );
