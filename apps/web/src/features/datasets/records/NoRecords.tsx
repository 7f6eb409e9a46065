import type { RowFilter } from '@redoubt/contract';
import { EmptyState } from '@redoubt/ui';
import Button from '@mui/material/Button';
import type { ReactElement } from 'react';
import { LinkButton } from '../../../parts/LinkButton.tsx';
import { describeFilter } from './records-search.ts';
import { useRunningImport } from './running-import.ts';
import { recordsText as texts } from '../../../text/records.ts';

interface EmptyDatasetProps {
  datasetId: string;
  /** Whether rows are being read. */
  isReading: boolean;
  /** Reads the rows again. */
  onRefresh: () => void;
}

/** Replaces the rows of a dataset without records, and says how to add some, or that an import is running. */
const EmptyDataset = ({ datasetId, isReading, onRefresh }: EmptyDatasetProps): ReactElement => {
  const { data: job } = useRunningImport(datasetId, isReading, onRefresh);
  if (job === undefined || job === null)
    return <EmptyState title={texts.noRecords}>{texts.noRecordsHint}</EmptyState>;
  return (
    <EmptyState
      title={texts.importRuns}
      action={
        <LinkButton to="/jobs/$id" params={{ id: job.id }}>
          {texts.openJob}
        </LinkButton>
      }
    >
      {texts.importRunsHint}
    </EmptyState>
  );
};

interface NoRecordsProps extends EmptyDatasetProps {
  q: string;
  filters: readonly RowFilter[];
  /** Removes the search and all filters. */
  onClear: () => void;
}

/** Replaces the rows if there are none, and says how to add some or what was searched for. */
export const NoRecords = ({ q, filters, onClear, ...dataset }: NoRecordsProps): ReactElement =>
  q === '' && filters.length === 0 ? (
    <EmptyDataset {...dataset} />
  ) : (
    <EmptyState
      title={texts.noMatch}
      subject="search"
      action={<Button onClick={onClear}>{texts.clearConditions}</Button>}
    >
      {[...(q === '' ? [] : [q]), ...filters.map(describeFilter)].join(' · ')}
    </EmptyState>
  );
