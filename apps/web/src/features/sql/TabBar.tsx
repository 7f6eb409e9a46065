import Box from '@mui/material/Box';
import IconButton from '@mui/material/IconButton';
import { Plus, X } from '@redoubt/ui/icons';
import type { KeyboardEvent, ReactElement } from 'react';
import { isChanged } from './drafts/draft-state.ts';
import type { Draft } from './drafts/draft-store.ts';
import { sqlText as texts } from '../../text/sql.ts';

interface TabBarProps {
  tabs: readonly Draft[];
  activeId: string | undefined;
  onSelect: (id: string) => void;
  onClose: (id: string) => void;
  onNew: () => void;
}

/** The tabs with open texts. Arrow keys move between them, and Delete closes one. */
export const TabBar = ({ tabs, activeId, onSelect, onClose, onNew }: TabBarProps): ReactElement => {
  const onKeyDown = (event: KeyboardEvent, at: number): void => {
    const step = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0;
    const next = tabs[(at + step + tabs.length) % tabs.length];
    if (step !== 0 && next !== undefined) {
      onSelect(next.id);
      document.getElementById(`tab-${next.id}`)?.focus();
    }
    const current = tabs[at];
    if (event.key === 'Delete' && current !== undefined) onClose(current.id);
  };
  return (
    <Box
      sx={{ display: 'flex', alignItems: 'stretch', borderBottom: 1, borderColor: 'divider', minWidth: 0 }}
    >
      <Box
        role="tablist"
        aria-label={texts.openTabs}
        sx={{ display: 'flex', overflowX: 'auto', minWidth: 0 }}
      >
        {tabs.map((tab, at) => (
          <Box
            key={tab.id}
            id={`tab-${tab.id}`}
            role="tab"
            aria-selected={tab.id === activeId}
            tabIndex={tab.id === activeId ? 0 : -1}
            onClick={() => onSelect(tab.id)}
            onKeyDown={(event) => onKeyDown(event, at)}
            sx={{
              px: 1.5,
              height: 36,
              lineHeight: '36px',
              fontSize: 13,
              whiteSpace: 'nowrap',
              cursor: 'pointer',
              color: tab.id === activeId ? 'text.primary' : 'text.secondary',
              fontWeight: tab.id === activeId ? 500 : 400,
              borderBottom: 2,
              borderColor: tab.id === activeId ? 'text.primary' : 'transparent',
            }}
          >
            <bdi>{tab.name}</bdi>
            {isChanged(tab) && <span title={texts.notSaved}> •</span>}
          </Box>
        ))}
      </Box>
      {activeId !== undefined && (
        <IconButton
          size="small"
          aria-label={texts.closeTab}
          title={texts.closeHint}
          onClick={() => onClose(activeId)}
        >
          <X size={16} strokeWidth={1.5} aria-hidden />
        </IconButton>
      )}
      <IconButton size="small" aria-label={texts.newTab} title={texts.newTab} onClick={onNew}>
        <Plus size={16} strokeWidth={1.5} aria-hidden />
      </IconButton>
    </Box>
  );
};
