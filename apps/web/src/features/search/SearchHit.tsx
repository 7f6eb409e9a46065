import { CellText, MarkedText } from '@redoubt/ui';
import Box from '@mui/material/Box';
import { Link } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import { markPlaces, shorten, type Place } from '../../parts/marks/mark-places.ts';
import { searchText as texts } from '../../text/search.ts';

const maxFields = 6;
const maxCharacters = 300;

type HitRecord = Readonly<Record<string, unknown>>;

const recordIdField = '_koverse_record_id';

/** The fields of a record with their texts. Those that the search matched come first. */
const fieldsToShow = (record: HitRecord, places: readonly Place[]) => {
  const fields = Object.entries(record)
    .filter(([name]) => name !== recordIdField)
    .map(([name, value]) => ({
      name,
      marked: shorten(markPlaces(value, [name], places), maxCharacters),
      isMatched: places.some(({ path: [first] }) => first === name),
    }));
  return [
    ...fields.filter(({ isMatched }) => isMatched),
    ...fields.filter(({ isMatched }) => !isMatched),
  ].slice(0, maxFields);
};

/** The document and the page that a record was read from, if it is one of a document. */
const documentPageOf = (record: HitRecord): { documentId: string; page: number } | undefined => {
  const { document_id: documentId, page } = record;
  const isDocument =
    typeof documentId === 'string' && documentId !== '' && 'documentConversionType' in record;
  return isDocument && typeof page === 'number' ? { documentId, page } : undefined;
};

export interface SearchHitProps {
  datasetId: string;
  record: HitRecord;
  /** What the search matched in the record. */
  places: readonly Place[];
  expression: string;
  /** The place of the record among the matches of its dataset, counted from 0. */
  row: number;
}

/** Opens the reader of a document at the page of the record, or the panel of the record in its dataset. */
const HitLink = ({ datasetId, record, expression, row }: SearchHitProps): ReactElement => {
  const document = documentPageOf(record);
  if (document === undefined)
    return (
      <Link
        to="/datasets/$id"
        params={{ id: datasetId }}
        search={{ q: expression, record: String(record[recordIdField]), row }}
      >
        {texts.openRecord}
      </Link>
    );
  const { documentId, page } = document;
  return (
    <Link
      to="/datasets/$id/documents/$documentId"
      params={{ id: datasetId, documentId }}
      search={{ q: expression, ...(page > 1 && { page }) }}
    >
      {texts.openPage}
    </Link>
  );
};

/** A record that a search found. A click anywhere on it opens the record. */
export const SearchHit = (props: SearchHitProps): ReactElement => {
  const { record, places } = props;
  return (
    <Box
      component="li"
      sx={{
        position: 'relative',
        display: 'flex',
        flexDirection: { xs: 'column', sm: 'row' },
        columnGap: 2,
        py: 1,
        borderTop: 1,
        borderColor: 'divider',
        fontSize: 13,
        lineHeight: '20px',
        '&:hover': { backgroundColor: 'action.hover' },
        // The link covers the whole record.
        '& a::after': { content: '""', position: 'absolute', inset: 0 },
      }}
    >
      <Box
        component="dl"
        sx={{
          m: 0,
          flex: 1,
          minWidth: 0,
          display: 'grid',
          gridTemplateColumns: { xs: '104px minmax(0, 1fr)', sm: '160px minmax(0, 1fr)' },
          columnGap: 2,
        }}
      >
        {fieldsToShow(record, places).map(({ name: field, marked }) => (
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
      <HitLink {...props} />
    </Box>
  );
};
