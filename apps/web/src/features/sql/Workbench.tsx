import type { SavedQuery } from '@redoubt/contract';
import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Snackbar from '@mui/material/Snackbar';
import Typography from '@mui/material/Typography';
import { Link } from '@tanstack/react-router';
import { Play, Plus, Save } from '@redoubt/ui/icons';
import { useRef, useState, type ReactElement } from 'react';
import { usePageActions } from '../../actions/page-actions.ts';
import { describeError, isError } from '../../api/client.ts';
import { describeState, isChanged } from './drafts/draft-state.ts';
import type { Draft } from './drafts/draft-store.ts';
import type { Tabs } from './drafts/use-tabs.ts';
import { queryOf, quoteName, type SqlSchema } from './editor/complete-sql.ts';
import { ResultPane } from './ResultPane.tsx';
import { RunButton } from './RunButton.tsx';
import { SaveDialog } from './SaveDialog.tsx';
import { SavedList } from './SavedList.tsx';
import { fetchSavedQuery, useSaveQuery } from './saved-queries.ts';
import { SchemaTree } from './SchemaTree.tsx';
import { SqlEditor } from './SqlEditor.tsx';
import { useSqlRuns } from './sql-run.ts';
import { splitStatements, statementToRun, type StatementRange } from './statements.ts';
import { TabBar } from './TabBar.tsx';
import { sqlText as texts } from '../../text/sql.ts';

interface WorkbenchProps {
  tabs: Tabs;
  active: Draft;
  schema: SqlSchema;
}

/** The SQL workbench: tabs with an editor, the tree of datasets, and the result of the active tab. */
export const Workbench = ({ tabs, active, schema }: WorkbenchProps): ReactElement => {
  const { runs, run, loadMore, cancel } = useSqlRuns();
  const [limit, setLimit] = useState(1000);
  const [isNaming, setNaming] = useState(false);
  const [isUndoShown, setUndoShown] = useState(false);
  const save = useSaveQuery();
  const latest = useRef(active);
  latest.current = active;
  const state = runs[active.id] ?? {};

  const runAt = (text: string, selection: StatementRange): void => {
    const range = statementToRun(text, selection);
    if (range !== undefined) void run(latest.current.id, text, range, limit);
  };
  const runAll = async (text: string): Promise<void> => {
    const { id } = latest.current;
    for (const range of splitStatements(text)) if (!(await run(id, text, range, limit))) return;
  };
  const saveAs = (name: string, saved: Draft['saved']): void => {
    const { id, text } = latest.current;
    save.mutate(
      { name, text, saved },
      {
        onSuccess: (query) => {
          setNaming(false);
          tabs.change(id, {
            name: query.name,
            saved: { id: query.id, version: query.version, text: query.text },
          });
        },
      },
    );
  };
  const saveActive = (): void => {
    const { saved, name } = latest.current;
    save.reset();
    if (saved === undefined) setNaming(true);
    else if (isChanged(latest.current)) saveAs(name, saved);
  };
  const openSaved = ({ id, name, text, version }: SavedQuery): void => {
    const existing = tabs.tabs?.find(({ saved }) => saved?.id === id);
    if (existing === undefined) tabs.open(text, { name, saved: { id, version, text } });
    else tabs.select(existing.id);
  };
  const takeSaved = async (): Promise<void> => {
    const { id, saved } = latest.current;
    if (saved === undefined) return;
    const { text, version, name } = await fetchSavedQuery(saved.id);
    tabs.change(id, { name, text, saved: { id: saved.id, version, text } });
    save.reset();
  };
  const insert = (name: string): void => {
    const { id, text, cursor } = latest.current;
    const quoted = quoteName(name);
    const at = cursor.from + quoted.length;
    tabs.change(id, {
      text: `${text.slice(0, cursor.from)}${quoted}${text.slice(cursor.to)}`,
      cursor: { from: at, to: at },
    });
  };
  usePageActions([
    {
      id: 'sql.run',
      title: texts.runStatement,
      keys: 'Mod+Enter',
      icon: Play,
      run: () => runAt(active.text, active.cursor),
    },
    {
      id: 'sql.run-all',
      title: texts.runAll,
      keys: 'Mod+Shift+Enter',
      icon: Play,
      run: () => void runAll(active.text),
    },
    { id: 'sql.tab', title: texts.newTab, keys: 'c', icon: Plus, run: () => tabs.open('') },
    { id: 'sql.save', title: texts.saveQuery, keys: 'Mod+s', icon: Save, run: saveActive },
  ]);
  const isConflict = save.isError && isError(save.error, 'BadRequestError') && active.saved !== undefined;

  return (
    <Box sx={{ display: 'flex', height: '100%', minHeight: 0 }}>
      <title>{texts.pageTitleOf(active.name)}</title>
      <Box
        component="aside"
        aria-label={texts.sidebar}
        sx={{
          display: { xs: 'none', md: 'block' },
          width: 240,
          flex: 'none',
          overflow: 'auto',
          p: 2,
          borderRight: 1,
          borderColor: 'divider',
        }}
      >
        <Typography variant="h2" sx={{ mb: 1 }}>
          {texts.datasets}
        </Typography>
        <SchemaTree schema={schema} onInsert={insert} onOpen={(name) => tabs.open(queryOf(name), { name })} />
        <Typography variant="h2" sx={{ mt: 3, mb: 1 }}>
          {texts.savedQueries}
        </Typography>
        <SavedList onOpen={openSaved} />
      </Box>
      <Box
        sx={{
          flex: 1,
          minWidth: 0,
          display: 'grid',
          gridTemplateRows: 'auto auto auto minmax(120px, 32%) minmax(0, 1fr)',
          gridTemplateColumns: 'minmax(0, 1fr)',
        }}
      >
        <Box sx={{ display: 'flex', alignItems: 'center', gap: 1, px: { xs: 2, md: 3 }, py: 1 }}>
          <Typography variant="h1">{texts.sql}</Typography>
          <Typography
            variant="caption"
            sx={{
              flex: 1,
              color: 'text.secondary',
              visibility: { xs: 'hidden', sm: 'visible' },
              overflow: 'hidden',
              textOverflow: 'ellipsis',
              whiteSpace: 'nowrap',
            }}
          >
            {describeState(active)}
          </Typography>
          <Link to="/sql/history">{texts.history}</Link>
          <Button
            onClick={saveActive}
            title={texts.ctrlS}
            disabled={active.text.trim() === '' || !isChanged(active)}
          >
            {texts.save}
          </Button>
          <RunButton
            limit={limit}
            startedAt={state.startedAt}
            isCanceling={state.isCanceling === true}
            hasSelection={active.cursor.to > active.cursor.from}
            onLimit={setLimit}
            onRun={() => runAt(active.text, active.cursor)}
            onCancel={() => void cancel(active.id)}
          />
        </Box>
        <TabBar
          tabs={tabs.tabs ?? []}
          activeId={active.id}
          onSelect={tabs.select}
          onClose={(id) => {
            tabs.close(id);
            setUndoShown(true);
          }}
          onNew={() => tabs.open('')}
        />
        <Box>
          {tabs.conflicts.has(active.id) && (
            <Alert
              severity="warning"
              variant="outlined"
              action={
                <>
                  <Button size="small" onClick={() => tabs.takeTheirs(active.id)}>
                    {texts.takeTheirs}
                  </Button>
                  <Button size="small" onClick={() => tabs.keepBoth(active.id)}>
                    {texts.keepBoth}
                  </Button>
                </>
              }
            >
              {texts.conflict}
            </Alert>
          )}
          {isConflict && (
            <Alert
              severity="warning"
              variant="outlined"
              action={
                <>
                  <Button size="small" onClick={() => void takeSaved()}>
                    {texts.takeSaved}
                  </Button>
                  <Button size="small" onClick={() => saveAs(`${active.name} (mine)`, undefined)}>
                    {texts.saveMine}
                  </Button>
                </>
              }
            >
              {describeError(save.error).message}
            </Alert>
          )}
        </Box>
        <Box sx={{ borderBottom: 1, borderColor: 'divider', minHeight: 0 }}>
          <SqlEditor
            id={active.id}
            text={active.text}
            cursor={active.cursor}
            schema={schema}
            wrong={state.wrong}
            onChange={(text, cursor) => tabs.change(active.id, { text, cursor })}
            onRun={runAt}
            onRunAll={(text) => void runAll(text)}
            onSave={saveActive}
          />
        </Box>
        <Box sx={{ minHeight: 0, display: 'flex', flexDirection: 'column' }}>
          <ResultPane
            key={active.id}
            name={active.name}
            state={state}
            onLoadMore={(count) => void loadMore(active.id, count)}
          />
        </Box>
      </Box>
      {isNaming && (
        <SaveDialog
          initialName={active.name}
          problem={save.isError ? describeError(save.error).message : undefined}
          onSave={(name) => saveAs(name, undefined)}
          onClose={() => setNaming(false)}
        />
      )}
      <Snackbar
        open={isUndoShown && tabs.closed !== undefined}
        autoHideDuration={10_000}
        onClose={() => setUndoShown(false)}
        message={texts.closedTab(tabs.closed?.name ?? '')}
        action={
          <Button
            color="inherit"
            size="small"
            onClick={() => {
              tabs.undoClose();
              setUndoShown(false);
            }}
          >
            {texts.undo}
          </Button>
        }
      />
    </Box>
  );
};
