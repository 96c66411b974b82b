// What each ruleset announces, from the rules themselves.

import type { Meta } from '../api/types';

type Facts = Meta['rules'][number];
type Rules = Facts['announces'];

const ROWS: readonly { head: string; cell(rules: Rules): string }[] = [
  { head: 'The other side hears illegal attempts', cell: ({ refusals }) => (refusals === 'heard' ? 'yes' : 'no') },
  { head: 'Nonsense is called', cell: ({ nonsense }) => `“${nonsense}”` },
  {
    head: 'Captures',
    cell: ({ capture, en_passant }) => (capture === 'kind' ? 'square, pawn or piece' : 'square') + (en_passant === 'landing-square' ? ', “en passant”' : ''),
  },
  {
    head: 'Pawn tries',
    cell: ({ tries }) =>
      ({
        never: '–',
        'ask-binding': '“Any?”; a yes binds',
        'ask-one-try': '“Any?”; a yes asks for one try',
        count: 'how many',
        any: 'whether any',
        from: 'from which squares',
      })[tries],
  },
  { head: 'Promotion is announced', cell: ({ promotion }) => (promotion === 'heard' ? 'yes' : 'no') },
  { head: 'Stalemate', cell: ({ stalemate }) => (stalemate === 'draw' ? 'draw' : 'loss') },
  { head: 'Other draws', cell: ({ draws }) => (draws === 'material' ? 'too few men' : 'too few men, fifty moves, third repetition') },
];

export const RulesTable = ({ rules }: { rules: readonly Facts[] }) => (
  <div class="table-scroll" tabIndex={0} role="region" aria-label="The rulesets in a table">
    <table class="list">
      <thead>
        <tr>
          <th scope="col">
            <span class="hidden">What is announced</span>
          </th>
          {rules.map(({ name, title }) => (
            <th key={name} scope="col">
              {title}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {ROWS.map(({ head, cell }) => (
          <tr key={head}>
            <th scope="row">{head}</th>
            {rules.map(({ name, announces }) => (
              <td key={name}>{cell(announces)}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  </div>
);
