import type { ResponseOf, Routes } from '@redoubt/contract';
import { CellText, MarkedText } from '@redoubt/ui';
import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import { Link } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import { markPlaces, shorten, type Place } from '../../parts/marks/mark-places.ts';
import { searchText as texts } from '../../text/search.ts';

type Summaries = ResponseOf<Routes['summarizeLucene']>;

const maxFields = 6;
const maxCharacters = 300;

/** The fields of a record with their texts. Those that the search matched come first. */
const fieldsToShow = (record: Readonly<Record<string, unknown>>, places: readonly Place[]) => {
  const fields = Object.entries(record).map(([name, value]) => ({
    name,
    marked: shorten(markPlaces(value, [name], places), maxCharacters),
    isMatched: places.some(({ path: [first] }) => first === name),
  }));
  return [
    ...fields.filter(({ isMatched }) => isMatched),
    ...fields.filter(({ isMatched }) => !isMatched),
  ].slice(0, maxFields);
};

interface SearchResultsProps {
  summaries: Summaries;
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
        {records.map((record, at) => (
          <Box
            key={at}
            component="dl"
            sx={{
              m: 0,
              py: 1,
              borderTop: 1,
              borderColor: 'divider',
              display: 'grid',
              gridTemplateColumns: { xs: '104px minmax(0, 1fr)', sm: '160px minmax(0, 1fr)' },
              columnGap: 2,
              fontSize: 13,
              lineHeight: '20px',
            }}
          >
            {fieldsToShow(record, highlights[at]?.places ?? []).map(({ name: field, marked }) => (
              <Box key={field} sx={{ display: 'contents' }}>
                <Box
                  component="dt"
                  sx={{ color: 'text.secondary', overflow: 'hidden', textOverflow: 'ellipsis' }}
                >
                  <bdi>{field}</bdi>
                </Box>
                <Box component="dd" sx={{ m: 0, overflowWrap: 'anywhere' }}>
                  {marked.text === '' ? <CellText value={record[field]} /> : <MarkedText {...marked} />}
                </Box>
              </Box>
            ))}
          </Box>
        ))}
      </Box>
    ))}
  </>
);
