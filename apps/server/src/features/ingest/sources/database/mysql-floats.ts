import mysql, { type Connection, type FieldPacket } from 'mysql2';
import { quoted } from './mysql-changes.ts';
import { asTable } from './row-statement.ts';

const { Types } = mysql;

/** The columns of a statement; undefined for one that cannot stand in parentheses, such as SHOW. */
const columnsOf = (connection: Connection, statement: string): Promise<FieldPacket[] | undefined> =>
  new Promise((resolve) => {
    connection.query(`SELECT * FROM ${asTable(statement)} LIMIT 0`, (error, _rows, fields) =>
      resolve(error === null ? fields : undefined),
    );
  });

/** A statement, and which of its columns hold a FLOAT as a double. */
interface WithFloats {
  statement: string;
  floats: ReadonlySet<string>;
}

/** Selects each FLOAT as a double, because the server writes a FLOAT as text with six digits. */
export const selectFloats = async (connection: Connection, statement: string): Promise<WithFloats> => {
  const columns = (await columnsOf(connection, statement)) ?? [];
  const floats = new Set(
    columns.filter(({ columnType }) => columnType === Types.FLOAT).map(({ name }) => name),
  );
  if (floats.size === 0) return { statement, floats };
  const list = columns.map(({ name }) => {
    const column = quoted(name);
    return floats.has(name) ? `${column} + 0e0 AS ${column}` : column;
  });
  return { statement: `SELECT ${list.join(', ')} FROM ${asTable(statement)}`, floats };
};

/** The fewest digits that tell a FLOAT apart from all others, of its text as a double. */
export const floatText = (text: string): string => {
  const value = Math.fround(Number(text));
  const shortest = [6, 7, 8, 9]
    .map((digits) => Number(value.toPrecision(digits)))
    .find((shorter) => Math.fround(shorter) === value);
  return String(shortest ?? value);
};
