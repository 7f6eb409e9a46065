import type { LinkProps } from '@tanstack/react-router';
import {
  Cable,
  CalendarClock,
  Database,
  FileUp,
  History,
  KeyRound,
  ListChecks,
  Search,
  SlidersHorizontal,
  Terminal,
  User,
  Users,
  type Icon,
} from '@redoubt/ui/icons';
import { shellText } from '../text/shell.ts';

export interface NavigationPage {
  readonly to: NonNullable<LinkProps['to']>;
  readonly title: string;
  readonly icon: Icon;
  readonly keys?: string;
  /** Further words by which the palette finds the page. */
  readonly words?: string;
  /** The group in the navigation; pages without one are only in the palette. */
  readonly group?: 'access' | 'data' | 'work';
  /** Whether the bar of a phone shows the page directly instead of in its menu. */
  readonly isChief?: true;
}

const { pages } = shellText;

/** The pages of the console. The navigation, the palette and the shortcuts are generated from this list. */
export const navigation: readonly NavigationPage[] = [
  { to: '/datasets', title: pages.datasets, icon: Database, keys: 'g d', group: 'data', isChief: true },
  {
    to: '/search',
    title: pages.search,
    icon: Search,
    keys: 'g s',
    words: 'find lucene',
    group: 'data',
    isChief: true,
  },
  {
    to: '/sql',
    title: pages.sql,
    icon: Terminal,
    keys: 'g q',
    words: 'query workbench',
    group: 'data',
    isChief: true,
  },
  { to: '/jobs', title: pages.jobs, icon: ListChecks, keys: 'g j', group: 'work', isChief: true },
  {
    to: '/schedules',
    title: pages.schedules,
    icon: CalendarClock,
    keys: 'g c',
    words: 'cron repeat import runs',
    group: 'work',
  },
  {
    to: '/connections',
    title: pages.connections,
    icon: Cable,
    keys: 'g o',
    words: 's3 postgresql mysql mssql secrets sources',
    group: 'work',
  },
  { to: '/people', title: pages.people, icon: User, keys: 'g p', words: 'users members', group: 'access' },
  { to: '/groups', title: pages.groups, icon: Users, keys: 'g g', group: 'access' },
  {
    to: '/attributes',
    title: pages.attributes,
    icon: KeyRound,
    keys: 'g a',
    words: 'labels tokens',
    group: 'access',
  },
  { to: '/datasets/new', title: pages.importFiles, icon: FileUp, keys: 'g i', words: 'upload csv new' },
  { to: '/sql/history', title: pages.history, icon: History, keys: 'g h', words: 'runs' },
  {
    to: '/preferences',
    title: pages.preferences,
    icon: SlidersHorizontal,
    keys: 'g ,',
    words: 'settings density dark light time zone',
  },
];

export const navigationGroups = ['data', 'work', 'access'] as const;
