import type { RowFilter } from '@redoubt/contract';
import { type CopyFormat } from '@redoubt/ui';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Link from '@mui/material/Link';
import Typography from '@mui/material/Typography';
import { useState, type ReactElement, type Ref } from 'react';
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
  /** The columns in which the search matched something. */
  markedColumns: readonly string[];
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
  /** Brings a column into view. */
  onShowColumn: (name: string) => void;
  onRefresh: () => void;
  onToggleValues: () => void;
}

const count = (total: number | undefined, isWhole: boolean): string => {
  if (total === undefined) return texts.counting;
  return isWhole ? texts.recordCount(total) : texts.matchCount(total);
};

interface MatchedColumnsProps {
  names: readonly string[];
  onShow: (name: string) => void;
}

/** Says in which columns a search matched, and brings them into view one after the other. */
const MatchedColumns = ({ names, onShow }: MatchedColumnsProps): ReactElement | null => {
  const [next, setNext] = useState(0);
  const [first] = names;
  if (first === undefined) return null;
  return (
    <Link
      component="button"
      type="button"
      variant="caption"
      title={texts.showMatches(names.join(', '))}
      onClick={() => {
        onShow(names[next % names.length] ?? first);
        setNext(next + 1);
      }}
      sx={{
        display: { xs: 'none', sm: 'inline-block' },
        maxWidth: 144,
        overflow: 'hidden',
        textOverflow: 'ellipsis',
        whiteSpace: 'nowrap',
        verticalAlign: 'top',
      }}
    >
      {texts.matchedIn(first, names.length - 1)}
    </Link>
  );
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
      {/* A search has more room from the beginning, so that nothing moves once its columns are known. */}
      <Box sx={{ minWidth: q === '' ? 96 : { xs: 96, sm: 144 }, textAlign: 'right', ml: 'auto' }}>
        <Typography variant="caption" component="div" role="status" sx={{ color: 'text.secondary' }}>
          {!props.hasFailed && count(total, isWhole)}
        </Typography>
        <MatchedColumns names={props.markedColumns} onShow={props.onShowColumn} />
      </Box>
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
