// The rules: what the umpire says, with diagrams, and what each ruleset announces.

import '../styles/learn.css';

import { useEffect } from 'preact/hooks';
import type { ComponentChildren } from 'preact';
import type { Meta, Men, Square } from '../api/types';
import { Board } from '../board/board';
import { arrow, refusal } from '../board/shapes';
import { href } from '../router';
import { Busy, Notice } from '../ui/controls';
import { useJson } from '../ui/load';
import { RulesTable } from './table';

export function RulesPage({ topic }: { topic?: string }) {
  const meta = useJson<Meta>('/api/meta');
  // The hash belongs to the routes, so a chapter is scrolled to by hand, when the table above it has come.
  useEffect(() => {
    const chapter = topic && meta.state !== 'loading' ? document.getElementById(`rules-${topic}`) : null;
    chapter?.scrollIntoView();
    chapter?.focus({ preventScroll: true });
  }, [topic, meta.state]);
  return (
    <div class="rules narrow">
      <h1>The rules</h1>
      <p class="lead">
        Kriegspiel is chess with all its rules, but each side sees only its own men. An umpire sees both. You put a move to him; he allows it or
        refuses it, and says aloud what the rules let him say.
      </p>
      <p>
        New to it? <a href={href('learn')}>Learn it on a board</a> in some minutes.
      </p>
      <Chapter id="refused" title="Illegal attempts">
        <p>
          An attempt that could be legal for all you know, and is not, is <strong>illegal</strong>. It costs nothing: try again, as often as you
          like. A refusal tells that something stands in the way, that there is nothing to be taken, or that your king would be in check.
        </p>
        <Diagram
          men={{ e1: 'K', a1: 'R' }}
          label="A rook on a1 is refused on a8 and a6"
          refused={['a1a8', 'a1a6']}
          caption="Refused on a8 and on a6: somebody stands on the file, on a6 or before it."
        />
      </Chapter>
      <Chapter id="nonsense" title="Nonsense">
        <p>
          What could not be legal whatever the other side has is <strong>nonsense</strong>: a rook that moves like a bishop, a step onto an own
          man, an attempt that was refused already in this turn. It is judged by your own men alone, so it tells you nothing. In the starting
          position 34 attempts make sense: twenty moves, and fourteen captures by pawns, of which you cannot know that nothing is there.
        </p>
      </Chapter>
      <Chapter id="capture" title="Captures">
        <p>
          Both sides hear the square on which a man was captured, under most rules also whether it was a pawn or a piece. Who captured is not
          said. En passant the square is that of the captured pawn; under English rules it is the square where the capturing pawn lands, and “en
          passant” is said.
        </p>
        <Diagram men={{ e1: 'K', d3: 'P', f3: 'N' }} label="A man of yours fell on e4" marks={{ e4: 'struck' }} caption="“Your pawn on e4 was taken”: whoever did it stands on e4 now." />
      </Chapter>
      <Chapter id="check" title="Check">
        <p>
          Both sides hear that a king is in check, and from where, seen from the king: on his <strong>rank</strong>, on his <strong>file</strong>, on the{' '}
          <strong>long</strong> or the <strong>short diagonal</strong>, or by a <strong>knight</strong>; two directions when the check is double. Long is the longer of
          the two diagonals through the king’s square. They are never equally long.
        </p>
        <Diagram
          men={{ c2: 'K' }}
          label="A king on c2 with his long and his short diagonal"
          marks={{ b1: 'painted', d3: 'painted', e4: 'painted', f5: 'painted', g6: 'painted', h7: 'painted', b3: 'try-from', a4: 'try-from', d1: 'try-from' }}
          caption="A king on c2: the long diagonal b1–h7 (filled), the short one a4–d1 (framed)."
        />
      </Chapter>
      <Chapter id="tries" title="Pawn tries">
        <p>
          A pawn try is a legal capture by a pawn of the side to move: from one square to another, en passant included; a capture that promotes
          counts once, one by a pinned pawn not at all. What is said of them tells the rulesets apart: nothing, how many there are, whether there
          are any, or from which squares. Both sides hear it.
        </p>
        <Diagram
          men={{ b4: 'P', e4: 'P', g4: 'P', e1: 'K' }}
          label="Two pawn tries, both onto f5"
          arrows={['e4f5', 'g4f5']}
          caption="“You have 2 pawn tries”: here both take on f5. It could be any two of the six captures."
        />
      </Chapter>
      <Chapter id="any" title="“Any?”">
        <p>
          Under two rulesets nothing is said of pawn tries until the side to move asks “Are there any?”. Asking costs nothing, but both sides
          hear question and answer. After a <strong>no</strong> captures by pawns are nonsense in this turn. After a <strong>yes</strong> one must capture with
          a pawn (Berkeley) or try one such capture, after which all is free again (English).
        </p>
      </Chapter>
      <Chapter id="promotion" title="Promotion">
        <p>A pawn on the last rank becomes a queen, rook, bishop or knight, as you choose with the attempt. Under RAND rules both sides hear that a pawn was promoted, never to what.</p>
      </Chapter>
      <Chapter id="end" title="The end">
        <p>
          Checkmate wins. Stalemate draws; under RAND rules whoever is stalemated loses. The game is drawn when neither side can mate any more,
          under most rules also after fifty moves of each side without a capture or a pawn’s move, and when a position stands for the third
          time. Games by resignation or by the clock end as in chess.
        </p>
      </Chapter>
      <Chapter id="rulesets" title="Six rulesets">
        {meta.state === 'loading' && <Busy />}
        {meta.state === 'failed' && <Notice kind="error">{meta.error}</Notice>}
        {meta.state === 'ready' && <RulesTable rules={meta.value.rules} />}
        <p class="hint">ICC is what the Internet Chess Club played as wild 16, and the usual one here. Berkeley is that of the mate problems.</p>
      </Chapter>
    </div>
  );
}

const Chapter = ({ id, title, children }: { id: string; title: string; children: ComponentChildren }) => (
  <section id={`rules-${id}`} tabIndex={-1} aria-labelledby={`rules-${id}-title`}>
    <h2 id={`rules-${id}-title`}>{title}</h2>
    {children}
  </section>
);

interface DiagramProps {
  men: Men;
  label: string;
  caption: string;
  marks?: Record<Square, string>;
  refused?: string[];
  arrows?: string[];
}

const Diagram = ({ men, label, caption, marks = {}, refused = [], arrows = [] }: DiagramProps) => (
  <figure class="diagram">
    <Board
      men={men}
      orientation="white"
      label={label}
      squares={new Map(Object.entries(marks))}
      shapes={[...refused.flatMap(refusal), ...arrows.map((attempt) => arrow(attempt, 'green'))]}
    />
    <figcaption>{caption}</figcaption>
  </figure>
);
