import {
  filterDocCardListItems,
  findFirstSidebarItemLink,
  useCurrentSidebarSiblings,
  useDocById,
} from '@docusaurus/plugin-content-docs/client';
import type { PropSidebarItem } from '@docusaurus/plugin-content-docs';
import Link from '@docusaurus/Link';
import type { Props } from '@theme/DocCardList';
import type { ReactNode } from 'react';
import styles from './styles.module.css';

function Row({ item }: { readonly item: PropSidebarItem }): ReactNode {
  const doc = useDocById(item.type === 'link' ? item.docId : undefined);
  if (item.type === 'html') return null;
  const href = item.type === 'category' ? findFirstSidebarItemLink(item) : item.href;
  if (href === undefined) return null;
  const pages =
    item.type === 'category' ? item.items.map((inner) => ('label' in inner ? inner.label : '')) : [];
  return (
    <li className={styles.row}>
      <Link to={item.type === 'category' ? (item.href ?? href) : href}>{item.label}</Link>
      <span>{item.description ?? doc?.description ?? pages.join(' · ')}</span>
    </li>
  );
}

/** The pages of a section: one line each, with title and description. */
function Rows({ items }: { readonly items: readonly PropSidebarItem[] }): ReactNode {
  return (
    <ul className={styles.list}>
      {filterDocCardListItems([...items]).map((item, at) => (
        <Row key={at} item={item} />
      ))}
    </ul>
  );
}

function Siblings(): ReactNode {
  return <Rows items={useCurrentSidebarSiblings()} />;
}

export default function DocCardList({ items }: Props): ReactNode {
  return items === undefined ? <Siblings /> : <Rows items={items} />;
}
