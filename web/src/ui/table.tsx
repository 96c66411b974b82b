// A table of rows: each column says its head and how a row reads in it.

import type { ComponentChildren } from 'preact';

export interface Column<Row> {
  head: string;
  cell(row: Row): ComponentChildren;
  /** Figures are set flush right. */
  figures?: boolean;
  title?(row: Row): string;
}

interface Props<Row> {
  /** What it is a table of. */
  label: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  id(row: Row): string | number;
}

/** Tables with more columns are set closer, so that the cross table of all levels fits a desktop. */
const MANY = 9;

export function DataTable<Row>({ label, columns, rows, id }: Props<Row>) {
  const name = (column: Column<Row>) => (column.figures ? 'number' : '');
  return (
    <div class="table-scroll" tabIndex={0} role="region" aria-label={label}>
      <table class={columns.length > MANY ? 'list close' : 'list'}>
        <thead>
          <tr>
            {columns.map((column) => (
              <th key={column.head} scope="col" class={name(column)}>
                {column.head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={id(row)}>
              {columns.map((column) => (
                <td key={column.head} class={name(column)} title={column.title?.(row)}>
                  {column.cell(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
