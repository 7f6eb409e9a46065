import { useQuery } from '@tanstack/react-query';
import { datasetsQuery } from '../../api/datasets-query.ts';

/** The datasets that statements can name: those that the person may read. */
export const useSqlDatasets = () =>
  useQuery({
    ...datasetsQuery,
    select: ({ data }) => data.filter(({ currentUserPermissions }) => currentUserPermissions.read),
  });
