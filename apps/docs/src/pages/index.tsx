import Layout from '@theme/Layout';
import type { ReactNode } from 'react';

export default function Home(): ReactNode {
  return (
    <Layout title="Redoubt">
      <main>Redoubt</main>
    </Layout>
  );
}
