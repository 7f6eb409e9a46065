import { useQuery } from '@tanstack/react-query';
import { datasetsQuery } from '../../api/datasets-query.ts';

/** The datasets that the person may read, which statements can name. */
export const useSqlDatasets = () =>
  useQuery({
    ...datasetsQuery,
    select: ({ data }) => data.filter(({ currentUserPermissions }) => currentUserPermissions.read),
  });
