import Layout from '@theme/Layout';
import type { ReactNode } from 'react';

export default function Api(): ReactNode {
  return (
    <Layout title="API">
      <main>API</main>
    </Layout>
  );
}
