import type { SavedQuery } from '@redoubt/contract';
import { ErrorState } from '@redoubt/ui';
import Box from '@mui/material/Box';
import IconButton from '@mui/material/IconButton';
import Typography from '@mui/material/Typography';
import { Trash2 } from '@redoubt/ui/icons';
import type { ReactElement } from 'react';
import { describeError } from '../../api/client.ts';
import { useDeleteQuery, useSavedQueries } from './saved-queries.ts';
import { sqlText as texts } from '../../text/sql.ts';

/** The saved queries of the person. */
export const SavedList = ({ onOpen }: { onOpen: (query: SavedQuery) => void }): ReactElement => {
  const { data, error, refetch } = useSavedQueries();
  const remove = useDeleteQuery();
  if (error !== null) {
    return (
      <ErrorState title={texts.savedQueriesFailed} {...describeError(error)} onRetry={() => void refetch()} />
    );
  }
  const queries: readonly SavedQuery[] = data?.data ?? [];
  if (data !== undefined && queries.length === 0) {
    return (
      <Typography variant="body2" sx={{ color: 'text.secondary' }}>
        {texts.noSavedQueries}
      </Typography>
    );
  }
  return (
    <Box component="ul" sx={{ listStyle: 'none', m: 0, p: 0 }}>
      {queries.map((query) => (
        <Box component="li" key={query.id} sx={{ display: 'flex', alignItems: 'center' }}>
          <Box
            component="button"
            type="button"
            onClick={() => onOpen(query)}
            sx={{
              all: 'unset',
              flex: 1,
              minWidth: 0,
              cursor: 'pointer',
              fontSize: 13,
              lineHeight: '28px',
              overflow: 'hidden',
              textOverflow: 'ellipsis',
              whiteSpace: 'nowrap',
              '&:focus-visible': { outline: '2px solid', outlineColor: 'primary.main' },
            }}
          >
            <bdi>{query.name}</bdi>
          </Box>
          <IconButton
            size="small"
            aria-label={texts.deleteQuery(query.name)}
            title={texts.delete}
            onClick={() => remove.mutate(query.id)}
          >
            <Trash2 size={16} strokeWidth={1.5} aria-hidden />
          </IconButton>
        </Box>
      ))}
    </Box>
  );
};
