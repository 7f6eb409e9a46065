import Heading from '@theme/Heading';
import type { ReactNode } from 'react';
import styles from './home.module.css';
import { readers, search } from './same-search.ts';

/** One search, as it is answered to three people. */
export function SameSearch(): ReactNode {
  return (
    <section aria-labelledby="one-search">
      <Heading as="h2" id="one-search">
        The same search, asked by three people
      </Heading>
      <p className={styles.query}>
        <span>Search in 11,008 radio navigation aids of the demo</span>
        <code>{search}</code>
      </p>
      <div className={styles.readers}>
        {readers.map(({ name, role, holds, found }) => (
          <div key={name} className={styles.reader}>
            <p className={styles.who}>
              <strong>{name}</strong>, {role}
            </p>
            <p className={styles.holds}>
              {holds.length === 0
                ? 'holds no attribute'
                : holds.map((token) => <code key={token}>{token}</code>)}
            </p>
            <p className={styles.count}>
              {found.length} {found.length === 1 ? 'record' : 'records'}
            </p>
            {found.length > 0 && (
              <table>
                <thead>
                  <tr>
                    <th scope="col">ident</th>
                    <th scope="col">name</th>
                    <th scope="col">country</th>
                    <th scope="col">label</th>
                  </tr>
                </thead>
                <tbody>
                  {found.map(([ident, place, country, label]) => (
                    <tr key={ident}>
                      <td>
                        <code>{ident}</code>
                      </td>
                      <td>{place}</td>
                      <td>{country}</td>
                      <td>
                        <code>{label}</code>
                      </td>
                    </tr>
                  ))}
                </tbody>
              </table>
            )}
          </div>
        ))}
      </div>
      <p className={styles.aside}>
        Each of the three gets the total of what they see, and nothing says that there is more. Start the demo
        and try it: it prints a line to sign in as each of them.
      </p>
    </section>
  );
}
