import Link from '@docusaurus/Link';
import type { ReactNode } from 'react';
import { Pieces } from './Pieces.tsx';
import styles from './search.module.css';
import type { Piece } from './search-service.ts';

/** A selectable row of the search window. */
export interface ResultOption {
  readonly url: string;
  readonly title: readonly Piece[];
  readonly trail: readonly string[];
  readonly excerpt: readonly Piece[];
  readonly page: string;
}

/** A group of rows with a heading. */
export interface ResultGroup {
  readonly name: string;
  readonly area: string;
  readonly options: readonly ResultOption[];
}

interface Props {
  readonly id: string;
  readonly groups: readonly ResultGroup[];
  /** The index of the selected row among the rows of all groups. */
  readonly active: number;
  readonly onPoint: (place: number) => void;
  readonly onOpen: (option: ResultOption) => void;
}

export const optionId = (id: string, place: number): string => `${id}-${place}`;

/**
 * The results as a list box. The focus stays in the input, which refers to the selected row by `aria-activedescendant`.
 */
export const SearchResults = ({ id, groups, active, onPoint, onOpen }: Props): ReactNode => {
  let next = 0;
  return (
    <div role="listbox" id={id} aria-label="Results" className={styles['results']}>
      {groups.map(({ name, area, options }, group) => (
        <div role="group" key={`${name} ${options[0]?.url}`} aria-labelledby={`${id}-group-${group}`}>
          <div className={styles['group']} id={`${id}-group-${group}`}>
            <span className={styles['groupName']}>{name}</span>
            {area !== '' && area !== name && <span className={styles['area']}>{area}</span>}
          </div>
          {options.map((option) => {
            const place = next++;
            return (
              <Link
                key={option.url}
                to={option.url}
                id={optionId(id, place)}
                role="option"
                aria-selected={place === active}
                tabIndex={-1}
                className={`DocSearch-Hit ${styles['option']}`}
                onMouseMove={() => onPoint(place)}
                onClick={(event) => {
                  // These keys open the result in another tab, so the search window must stay.
                  if (!event.ctrlKey && !event.metaKey && !event.shiftKey) onOpen(option);
                }}
              >
                <span className={styles['optionTitle']}>
                  {option.trail.length > 0 && (
                    <span className={styles['trail']}>{option.trail.join(' › ')} › </span>
                  )}
                  <Pieces of={option.title} />
                </span>
                {option.excerpt.length > 0 && (
                  <span className={styles['excerpt']}>
                    <Pieces of={option.excerpt} />
                  </span>
                )}
              </Link>
            );
          })}
        </div>
      ))}
    </div>
  );
};
