import { useQuery } from '@tanstack/react-query';
import { api } from '../../api/client.ts';
import { keys } from '../../api/keys.ts';

/** The datasets that statements can name: those that the person may read. */
export const useSqlDatasets = () =>
  useQuery({
    queryKey: [...keys.datasets, 'readable'],
    queryFn: async () => {
      const { data } = await api.listDatasets({ query: { $limit: -1, $sort: { name: 1 } } });
      return data.filter(({ currentUserPermissions }) => currentUserPermissions.read);
    },
  });
