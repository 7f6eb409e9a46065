import type { RowFilter } from '@redoubt/contract';
import { type CopyFormat } from '@redoubt/ui';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import type { ReactElement, Ref } from 'react';
import { ExportMenu } from '../../../parts/ExportMenu.tsx';
import { ColumnsMenu } from './ColumnsMenu.tsx';
import { CopyMenu } from './CopyMenu.tsx';
import { FilterPills } from './FilterPills.tsx';
import { JumpToRow } from './JumpToRow.tsx';
import { LuceneBar } from './LuceneBar.tsx';
import type { RecordsExport } from './records-export.ts';
import type { ColumnArrangement } from './use-column-layout.ts';
import { recordsText as texts } from '../../../text/records.ts';

interface RecordsToolbarProps {
  q: string;
  filters: readonly RowFilter[];
  arrangement: ColumnArrangement;
  total: number | undefined;
  /** Whether the rows could not be loaded, so that there is no count. */
  hasFailed: boolean;
  isStale: boolean;
  selectedCells: number;
  /** The query of an export. */
  exported: RecordsExport;
  /** The file name of an export. */
  fileName: string;
  hasValues: boolean;
  searchRef: Ref<HTMLInputElement>;
  onSearch: (q: string) => void;
  onFilters: (filters: readonly RowFilter[]) => void;
  onCopy: (format: CopyFormat) => void;
  onJump: (row: number) => void;
  onRefresh: () => void;
  onToggleValues: () => void;
}

const count = (total: number | undefined, isWhole: boolean): string => {
  if (total === undefined) return texts.counting;
  return isWhole ? texts.recordCount(total) : texts.matchCount(total);
};

/** The toolbar above the records: search, filters, columns, export, and actions on the selected cells. */
export const RecordsToolbar = (props: RecordsToolbarProps): ReactElement => {
  const { q, filters, arrangement, total, isStale } = props;
  const isWhole = q === '' && filters.length === 0;
  return (
    <Box
      sx={{ px: { xs: 2, md: 3 }, py: 0.5, display: 'flex', alignItems: 'center', gap: 1, flexWrap: 'wrap' }}
    >
      <LuceneBar key={q} search={q} onSearch={props.onSearch} inputRef={props.searchRef} />
      <FilterPills
        filters={filters}
        fields={arrangement.columns.map(({ name }) => name)}
        onChange={props.onFilters}
      />
      {isStale && (
        <Button variant="text" onClick={props.onRefresh} sx={{ color: 'warning.main' }}>
          {texts.showChanges}
        </Button>
      )}
      <Typography
        variant="caption"
        role="status"
        sx={{ color: 'text.secondary', minWidth: 96, textAlign: 'right', ml: 'auto' }}
      >
        {!props.hasFailed && count(total, isWhole)}
      </Typography>
      <Box sx={{ display: { xs: 'none', sm: 'flex' }, gap: 1 }}>
        <Button
          aria-pressed={props.hasValues}
          onClick={props.onToggleValues}
          sx={{ display: { xs: 'none', md: 'inline-flex' } }}
        >
          {texts.values}
        </Button>
        <ColumnsMenu arrangement={arrangement} />
        <CopyMenu cells={props.selectedCells} onCopy={props.onCopy} />
        <ExportMenu query={props.exported} fileName={props.fileName} />
        <JumpToRow onJump={props.onJump} />
      </Box>
    </Box>
  );
};
