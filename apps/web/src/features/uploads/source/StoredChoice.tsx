import type { Connection } from '@redoubt/contract';
import { SelectInput } from '@redoubt/ui';
import Typography from '@mui/material/Typography';
import { useQuery } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { connectionsQuery } from '../../../api/shared-queries.ts';
import { Fact, FactList } from '../../../parts/Fact.tsx';
import { kindOf } from '../../../parts/sources/source-kinds.ts';
import { allowedLines, targetText } from '../../../parts/sources/stored-connection.ts';
import { connectionsText as texts } from '../../../text/connections.ts';
import { sourcesText } from '../../../text/sources.ts';

interface StoredChoiceProps {
  connection: Connection | undefined;
  onChange: (connection: Connection | undefined) => void;
}

/** The stored connections that can be used, and what is known of the chosen one. Nothing if there are none. */
export const StoredChoice = ({ connection, onChange }: StoredChoiceProps): ReactElement | null => {
  const { data } = useQuery(connectionsQuery);
  const usable = (data?.data ?? []).filter(
    (one) => one.currentUserPermissions.use && one.testedAt !== null && kindOf(one) !== undefined,
  );
  if (usable.length === 0) return null;
  const kind = connection === undefined ? undefined : kindOf(connection);
  const allowed = connection === undefined ? '' : allowedLines(connection.type, connection.allowed);
  return (
    <>
      <SelectInput
        label={texts.stored}
        value={connection?.id ?? ''}
        options={[
          { value: '', text: texts.ownDetails },
          ...usable.map(({ id, name }) => ({ value: id, text: name })),
        ]}
        onChange={(id) => onChange(usable.find((one) => one.id === id))}
      />
      {connection !== undefined && (
        <>
          <FactList>
            <Fact name={texts.kind}>{kind !== undefined && sourcesText.kinds[kind]}</Fact>
            <Fact name={texts.storedTarget}>
              <bdi>{targetText(connection.target)}</bdi>
            </Fact>
            <Fact name={texts.storedAllows}>{allowed === '' ? texts.everything : <bdi>{allowed}</bdi>}</Fact>
          </FactList>
          {connection.minimumLabel !== null && (
            <Typography sx={{ mb: 2, color: 'text.secondary' }}>
              {texts.storedLabel(connection.minimumLabel)}
            </Typography>
          )}
        </>
      )}
    </>
  );
};
