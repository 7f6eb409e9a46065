import type { SQLNamespace } from '@codemirror/lang-sql';
import { DataGrid, EmptyState, ErrorState, formatNumber, toGridColumns } from '@redoubt/ui';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import MenuItem from '@mui/material/MenuItem';
import Select from '@mui/material/Select';
import Skeleton from '@mui/material/Skeleton';
import Typography from '@mui/material/Typography';
import { getRouteApi } from '@tanstack/react-router';
import { useCallback, useEffect, useMemo, useRef, useState, type ReactElement } from 'react';
import { describeError } from '../../api/client.ts';
import { useSqlDatasets } from './sql-datasets.ts';
import { SqlEditor } from './SqlEditor.tsx';
import { useSqlRun } from './sql-query.ts';
import { statementToRun, type StatementRange } from './statements.ts';

const route = getRouteApi('/sql');
const limits = [100, 1000, 10_000];

/** The seconds since a moment, counted up while somebody waits. */
const useElapsed = (isRunning: boolean): number => {
  const [seconds, setSeconds] = useState(0);
  useEffect(() => {
    if (!isRunning) return undefined;
    setSeconds(0);
    const timer = setInterval(() => setSeconds((old) => old + 1), 1000);
    return () => clearInterval(timer);
  }, [isRunning]);
  return seconds;
};

const quoted = (name: string): string =>
  /^[a-z_][a-z0-9_]*$/.test(name) ? name : `"${name.replaceAll('"', '""')}"`;

/** Write SQL over the datasets that the person may read, run it, and read the rows. */
export const SqlPage = (): ReactElement => {
  const { dataset: wantedId } = route.useSearch();
  const datasets = useSqlDatasets();
  const [limit, setLimit] = useState(1000);
  const { run, cancel } = useSqlRun();
  const elapsed = useElapsed(run.isPending);
  const latest = useRef({ text: '', selection: { from: 0, to: 0 } });

  const schema = useMemo(
    (): SQLNamespace =>
      Object.fromEntries(
        (datasets.data ?? []).map(({ name, schema: fields }) => [name, Object.keys(fields)]),
      ),
    [datasets.data],
  );
  const execute = useCallback(
    (text: string, selection: StatementRange) => {
      const range = statementToRun(text, selection);
      if (range !== undefined && !run.isPending)
        run.mutate({ text: text.slice(range.from, range.to), limit });
    },
    [run, limit],
  );
  const result = run.data;
  const columns = useMemo(() => toGridColumns(result?.schema ?? {}), [result]);

  if (datasets.error !== null) {
    return (
      <Box sx={{ p: 3 }}>
        <ErrorState
          title="Your datasets could not be loaded"
          {...describeError(datasets.error)}
          onRetry={() => void datasets.refetch()}
        />
      </Box>
    );
  }
  if (datasets.data === undefined) return <Skeleton variant="rectangular" height={320} sx={{ m: 3 }} />;
  const first = datasets.data.find(({ id }) => id === wantedId) ?? datasets.data[0];
  const initialText = first === undefined ? 'SELECT 1 + 1 AS two' : `SELECT * FROM ${quoted(first.name)}`;
  latest.current.text ||= initialText;
  return (
    <Box
      sx={{
        display: 'grid',
        height: '100%',
        gridTemplateRows: 'auto minmax(120px, 35%) minmax(0, 1fr)',
        gridTemplateColumns: 'minmax(0, 1fr)',
      }}
    >
      <title>SQL · Redoubt</title>
      <Box sx={{ display: 'flex', alignItems: 'center', gap: 1, px: { xs: 2, md: 3 }, py: 1 }}>
        <Typography variant="h1" sx={{ flex: 1 }}>
          SQL
        </Typography>
        <Select
          value={limit}
          onChange={(event) => setLimit(event.target.value)}
          inputProps={{ 'aria-label': 'Rows to show at most' }}
        >
          {limits.map((value) => (
            <MenuItem key={value} value={value}>
              {formatNumber(value)} rows
            </MenuItem>
          ))}
        </Select>
        {run.isPending ? (
          <Button onClick={() => void cancel()} sx={{ minWidth: 140 }}>
            Cancel ({elapsed} s)
          </Button>
        ) : (
          <Button
            variant="contained"
            color="primary"
            title="Ctrl Enter"
            sx={{ minWidth: 140 }}
            onClick={() => execute(latest.current.text, latest.current.selection)}
          >
            Run ({formatNumber(limit)})
          </Button>
        )}
      </Box>
      <Box sx={{ borderTop: 1, borderBottom: 1, borderColor: 'divider', minHeight: 0 }}>
        <SqlEditor
          initialText={initialText}
          schema={schema}
          onChange={(text, selection) => {
            latest.current = { text, selection };
          }}
          onRun={execute}
        />
      </Box>
      <Box sx={{ minHeight: 0, display: 'flex', flexDirection: 'column' }}>
        {run.error !== null && (
          <Box sx={{ px: 3 }}>
            <ErrorState title="The statement failed" {...describeError(run.error)} />
          </Box>
        )}
        {run.error === null && result === undefined && (
          <EmptyState title={run.isPending ? 'Running…' : 'No result yet'}>
            {!run.isPending && 'Press Ctrl Enter to run the statement at the cursor, or the selected text.'}
          </EmptyState>
        )}
        {run.error === null && result !== undefined && (
          <>
            <Typography
              variant="caption"
              role="status"
              component="p"
              sx={{ px: 2, py: 0.75, color: 'text.secondary', opacity: run.isPending ? 0.5 : 1 }}
            >
              {result.more
                ? `The first ${formatNumber(result.records.length)} of ${formatNumber(result.total)} rows`
                : `${formatNumber(result.total)} ${result.total === 1 ? 'row' : 'rows'}`}
              {` · ${formatNumber(result.milliseconds)} ms`}
            </Typography>
            <Box sx={{ flex: 1, minHeight: 0, borderTop: 1, borderColor: 'divider' }}>
              {result.records.length === 0 ? (
                <EmptyState title="The statement gives no rows" />
              ) : (
                <DataGrid label="Result" columns={columns} rows={result.records} />
              )}
            </Box>
          </>
        )}
      </Box>
    </Box>
  );
};
