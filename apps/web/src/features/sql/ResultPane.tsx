import { RedoubtError } from '@redoubt/errors';
import { DataGrid, EmptyState, ErrorState, formatNumber, TableSkeleton, toGridColumns } from '@redoubt/ui';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import ToggleButton from '@mui/material/ToggleButton';
import ToggleButtonGroup from '@mui/material/ToggleButtonGroup';
import Typography from '@mui/material/Typography';
import { lazy, Suspense, useMemo, useState, type ReactElement } from 'react';
import { describeError } from '../../api/client.ts';
import { ExportMenu } from '../../parts/ExportMenu.tsx';
import { formatDuration, formatTime } from '../../parts/format-time.ts';
import type { RunState, SqlResult } from './sql-run.ts';
import { sqlText as texts } from '../../text/sql.ts';

const ResultPlot = lazy(async () => ({ default: (await import('./plot/ResultPlot.tsx')).ResultPlot }));

interface ResultPaneProps {
  name: string;
  state: RunState;
  onLoadMore: (count: number) => void;
}

const countText = ({ records, more }: SqlResult): string => {
  const rows = `${formatNumber(records.length)} ${records.length === 1 ? 'row' : 'rows'}`;
  return more ? `${rows} shown · more exist` : rows;
};

const staleText = ({ at }: SqlResult): string => ` · result of ${formatTime(at)}, before the last run`;

const RunError = ({ error }: { error: unknown }): ReactElement => {
  const { message, code } = describeError(error);
  const hint = error instanceof RedoubtError ? error.hint : undefined;
  const isInMessage = hint === undefined || message.includes(hint);
  return (
    <ErrorState
      title={texts.statementFailed}
      message={isInMessage ? message : `${message} ${hint}`}
      code={code}
    />
  );
};

/** The result of the last run of a tab: rows as a grid or plot, an error, or how to begin. */
export const ResultPane = ({ name, state, onLoadMore }: ResultPaneProps): ReactElement => {
  const { result, error, startedAt, isStale = false } = state;
  const [view, setView] = useState<'plot' | 'rows'>('rows');
  const columns = useMemo(() => toGridColumns(result?.schema ?? {}), [result?.schema]);
  if (result === undefined && error === undefined) {
    return (
      <EmptyState title={startedAt === undefined ? texts.noResult : texts.running}>
        {startedAt === undefined && texts.noResultHint}
      </EmptyState>
    );
  }
  return (
    <>
      {error !== undefined && (
        <Box sx={{ px: { xs: 2, md: 3 } }}>
          <RunError error={error} />
        </Box>
      )}
      {result !== undefined && (
        <>
          <Box
            sx={{
              display: 'flex',
              alignItems: 'center',
              flexWrap: 'wrap',
              gap: 1,
              px: { xs: 2, md: 3 },
              py: 0.5,
            }}
          >
            <Typography variant="caption" role="status" component="p" sx={{ color: 'text.secondary' }}>
              {`${countText(result)} · ${formatDuration(result.milliseconds)}`}
              {isStale && staleText(result)}
            </Typography>
            {result.more && !isStale && (
              <Button
                size="small"
                variant="text"
                disabled={startedAt !== undefined}
                onClick={() => onLoadMore(result.limit)}
              >
                {texts.loadMore(result.limit)}
              </Button>
            )}
            <Box sx={{ flex: 1 }} />
            <ToggleButtonGroup
              exclusive
              size="small"
              value={view}
              aria-label={texts.viewLabel}
              onChange={(_event, next: 'plot' | 'rows' | null) => setView(next ?? view)}
            >
              <ToggleButton value="rows" sx={{ py: 0.25, textTransform: 'none' }}>
                {texts.rows}
              </ToggleButton>
              <ToggleButton value="plot" sx={{ py: 0.25, textTransform: 'none' }}>
                {texts.plot}
              </ToggleButton>
            </ToggleButtonGroup>
            <ExportMenu
              query={{ operation: 'query', body: { expression: result.text, limit: -1 } }}
              fileName={name}
            />
          </Box>
          <Box
            sx={{
              flex: 1,
              minHeight: 0,
              borderTop: 1,
              borderColor: 'divider',
              // Grey marks an old result, which is not that of the last run.
              ...(isStale && { filter: 'grayscale(1)', backgroundColor: 'background.sunken' }),
            }}
          >
            {result.records.length === 0 && <EmptyState title={texts.noRows} />}
            {result.records.length > 0 && view === 'rows' && (
              <DataGrid label={texts.result} columns={columns} rows={result.records} />
            )}
            {result.records.length > 0 && view === 'plot' && (
              <Suspense fallback={<TableSkeleton label={texts.drawingPlot} />}>
                <ResultPlot result={result} />
              </Suspense>
            )}
          </Box>
        </>
      )}
    </>
  );
};
