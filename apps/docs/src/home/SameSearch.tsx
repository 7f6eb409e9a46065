import Heading from '@theme/Heading';
import { type ReactNode, useId, useState } from 'react';
import styles from './home.module.css';
import recorded from './recorded-searches.json';
import { findSearch, firstSearch, people, suggested, type Answer, type Person } from './same-search.ts';

const number = new Intl.NumberFormat('en');

const countOf = (total: number): string => (total === 1 ? '1 record' : `${number.format(total)} records`);

const Rows = ({ answer }: { readonly answer: Answer }): ReactNode => (
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
      {answer.rows.map(([ident, name, country, label]) => (
        <tr key={`${ident} ${name}`}>
          <td>
            <code>{ident}</code>
          </td>
          <td>{name}</td>
          <td>{country}</td>
          <td>
            <code>{label}</code>
          </td>
        </tr>
      ))}
    </tbody>
  </table>
);

const Reader = ({ person, answer }: { readonly person: Person; readonly answer: Answer }): ReactNode => {
  const left = answer.total - answer.rows.length;
  return (
    <div className={styles.reader}>
      <p className={styles.who}>
        <strong>{person.name}</strong>, {person.role}
      </p>
      <p className={styles.holds}>
        {person.holds.length === 0
          ? 'holds no attribute'
          : person.holds.map((token) => <code key={token}>{token}</code>)}
      </p>
      <p className={styles.count}>{countOf(answer.total)}</p>
      {answer.rows.length > 0 && <Rows answer={answer} />}
      {left > 0 && <p className={styles.left}>and {number.format(left)} more</p>}
    </div>
  );
};

/** One search by three people. The reader types it, and the results come from recorded responses of a server. */
export function SameSearch(): ReactNode {
  const [text, setText] = useState(firstSearch);
  const [shown, setShown] = useState(firstSearch);
  const list = useId();
  const { answers } = findSearch(recorded, shown) ?? recorded[0] ?? { answers: [] };
  const isKnown = findSearch(recorded, text) !== undefined;

  const search = (next: string): void => {
    setText(next);
    const found = findSearch(recorded, next);
    if (found !== undefined) setShown(found.query);
  };

  return (
    <section aria-labelledby="one-search">
      <Heading as="h2" id="one-search">
        One search, three people, three answers
      </Heading>
      <p className={styles.intro}>
        Search 11,008 radio navigation aids. Each record carries a label with its region, and each person
        holds different attributes. Type a search, or choose one.
      </p>
      <form className={styles.query} role="search" onSubmit={(event) => event.preventDefault()}>
        <label htmlFor={`${list}-input`}>Lucene search</label>
        <input
          id={`${list}-input`}
          type="search"
          list={list}
          value={text}
          autoComplete="off"
          spellCheck={false}
          aria-describedby={`${list}-status`}
          onChange={(event) => search(event.target.value)}
        />
        <datalist id={list}>
          {recorded.map(({ query }) => (
            <option key={query} value={query} />
          ))}
        </datalist>
      </form>
      <p className={styles.suggestions}>
        {suggested.map((query) => (
          <button
            key={query}
            type="button"
            className={styles.suggestion}
            aria-pressed={query === shown}
            onClick={() => search(query)}
          >
            {query}
          </button>
        ))}
      </p>
      <p id={`${list}-status`} role="status" className={styles.told}>
        {isKnown
          ? `Answers to ${shown}, recorded from a server.`
          : `This page has recorded answers to ${recorded.length} searches, and yours isn't one of them, so the answers below are to ${shown}. Start the demo to search for anything.`}
      </p>
      <div className={styles.readers} data-search="no">
        {people.map((person, at) => (
          <Reader key={person.name} person={person} answer={answers[at] ?? { total: 0, rows: [] }} />
        ))}
      </div>
      <p className={styles.aside}>
        Each total counts what that person can see, and nothing says that there is more. Alex is the
        administrator of the workspace and still sees nothing, because labels apply to administrators, too.
      </p>
    </section>
  );
}
