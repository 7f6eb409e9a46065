import { EmptyState } from '@redoubt/ui';
import { Link } from '@tanstack/react-router';
import type { ReactElement } from 'react';

export const NotFoundPage = (): ReactElement => (
  <EmptyState title="There is nothing at this address">
    Check the address, or <Link to="/datasets">open your datasets</Link>.
  </EmptyState>
);
