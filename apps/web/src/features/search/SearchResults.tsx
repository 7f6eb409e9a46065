import type { ResponseOf, Routes } from '@redoubt/contract';
import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import { Link } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import { searchText as texts } from '../../text/search.ts';
import { SearchHit } from './SearchHit.tsx';

interface SearchResultsProps {
  summaries: ResponseOf<Routes['summarizeLucene']>;
  expression: string;
}

/** The first matches of each dataset. */
export const SearchResults = ({ summaries, expression }: SearchResultsProps): ReactElement => (
  <>
    {summaries.map(({ datasetId, name, total, records, highlights = [] }) => (
      <Box component="section" key={datasetId} aria-label={name} sx={{ mb: 3 }}>
        <Box sx={{ display: 'flex', flexWrap: 'wrap', alignItems: 'baseline', columnGap: 2, mb: 1 }}>
          <Typography variant="h2">
            <bdi>{name}</bdi>
          </Typography>
          <Typography variant="caption" sx={{ color: 'text.secondary' }}>
            {texts.matches(total)}
          </Typography>
          <Link to="/datasets/$id" params={{ id: datasetId }} search={{ q: expression }}>
            {total > records.length ? texts.openAll(total) : texts.openInDataset}
          </Link>
        </Box>
        <Box component="ul" sx={{ m: 0, p: 0, listStyle: 'none' }}>
          {records.map((record, at) => (
            <SearchHit
              key={at}
              datasetId={datasetId}
              record={record}
              places={highlights[at]?.places ?? []}
              expression={expression}
              row={at}
            />
          ))}
        </Box>
      </Box>
    ))}
  </>
);
