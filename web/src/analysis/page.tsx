// The analysis board: positions or a view go to the prover, and its proof comes back as a tree.

import { useState } from 'preact/hooks';
import type { Meta } from '../api/types';
import { Choice, Field } from '../ui/controls';
import { useJson } from '../ui/load';
import { StrategyExplorer } from './explorer';
import { takeHandover } from './handover';
import { EXAMPLE, readLines } from './positions';
import { SolveProgress } from './progress';
import { SetUp } from './set-up';
import { useSolver } from './solver';

type Mode = 'positions' | 'view';

export function AnalysisPage() {
  const [handed] = useState(takeHandover);
  const [mode, setMode] = useState<Mode>(handed?.view ? 'view' : 'positions');
  const [text, setText] = useState((handed?.positions ?? EXAMPLE).join('\n'));
  const [view, setView] = useState(handed?.view ?? '');
  const [rules, setRules] = useState(handed?.rules ?? 'berkeley');
  const [plies, setPlies] = useState(3);
  const [time, setTime] = useState(30);
  const meta = useJson<Meta>('/api/meta');
  const solver = useSolver();
  const { solving } = solver;
  const ready = mode === 'view' ? view.trim() !== '' : readLines(text).length > 0;
  const solve = () =>
    solver.start({
      rules,
      plies,
      time,
      ...(mode === 'view' ? { view, as: 'white' as const } : { positions: readLines(text) }),
    });
  const proof = solving.state === 'done' ? solving.result.strategy : null;
  const names = meta.state === 'ready' ? meta.value.rules : [{ name: rules, title: rules }];

  return (
    <div class="analysis">
      <div class="page-head">
        <h1>Is there a mate?</h1>
        <p class="lead">
          The prover looks for attempts that mate from every position White must reckon with, whatever the umpire answers and Black replies.
        </p>
      </div>
      {proof && solving.state === 'done' ? (
        <>
          <SolveProgress solver={solver} />
          <StrategyExplorer rules={solving.rules} positions={solving.result.positions} strategy={proof} />
          <p>
            <button type="button" onClick={solver.reset}>
              Back to the set-up
            </button>
          </p>
        </>
      ) : (
        <form
          class="analysis-form"
          onSubmit={(event) => {
            event.preventDefault();
            solve();
          }}
        >
          <Choice<Mode>
            legend="What White knows"
            quiet
            value={mode}
            options={[
              { value: 'positions', label: 'A list of positions' },
              { value: 'view', label: 'A game so far' },
            ]}
            choose={setMode}
          />
          {mode === 'positions' ? (
            <SetUp text={text} set={setText} />
          ) : (
            <Field label="Transcript or view, White to move" hint="JSON Lines or Kriegspiel PGN. Its own rules count.">
              <textarea rows={12} spellcheck={false} value={view} onInput={(event) => setView(event.currentTarget.value)} />
            </Field>
          )}
          <div class="solve-row">
            <Field label="Rules">
              <select value={rules} onChange={(event) => setRules(event.currentTarget.value)} disabled={mode === 'view'}>
                {names.map(({ name, title }) => (
                  <option key={name} value={name}>
                    {title}
                  </option>
                ))}
              </select>
            </Field>
            <Field label="Mate within">
              <select value={plies} onChange={(event) => setPlies(Number(event.currentTarget.value))}>
                {[1, 3, 5, 7, 9].map((each) => (
                  <option key={each} value={each}>
                    {(each + 1) / 2} move{each > 1 ? 's' : ''} ({each} plies)
                  </option>
                ))}
              </select>
            </Field>
            <Field label="Time limit">
              <select value={time} onChange={(event) => setTime(Number(event.currentTarget.value))}>
                {[5, 30, 120].map((each) => (
                  <option key={each} value={each}>
                    {each} seconds
                  </option>
                ))}
              </select>
            </Field>
            <button type="submit" class="primary" disabled={!ready || solving.state === 'running'}>
              Search
            </button>
          </div>
          <SolveProgress solver={solver} />
        </form>
      )}
    </div>
  );
}
