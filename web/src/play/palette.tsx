// Phantoms in the hand: a palette of enemy men, and what the pointer does with them on the board.

import { useEffect, useState } from 'preact/hooks';
import type { GameEvent, Men, Side, Square } from '../api/types';
import type { Drag } from '../board/board';
import { other, ROLE } from '../chess/men';
import { loadPhantoms, refuted, savePhantoms, startingPhantoms, without, type Guess, type Phantoms } from '../game/phantoms';
import { Man } from '../ui/controls';

export type Tool = Guess | 'erase' | null;

export interface PhantomHand {
  /** As to be drawn: a dragged phantom is shown where it would be dropped. */
  shown: Phantoms;
  count: number;
  tool: Tool;
  setTool(tool: Tool): void;
  grab(square: Square, moving: boolean): Drag | null;
  fromPalette(kind: Guess): Drag;
  /** Notes that a man of whatever kind stands somewhere. */
  meet(square: Square): void;
  /** Drops the guesses that an event refutes; returns their squares. */
  refute(men: Men, event: GameEvent | null): void;
  clear(): void;
  fill(): void;
}

export function usePhantoms(game: string, side: Side | undefined, start: string, men: Men): PhantomHand {
  const [phantoms, setPhantoms] = useState<Phantoms>({});
  const [tool, setTool] = useState<Tool>(null);
  const [held, setHeld] = useState<{ from: Square | null; at: Square | null; kind: Guess } | null>(null);
  useEffect(() => {
    if (side) setPhantoms(loadPhantoms(game, side));
  }, [game, side]);
  const update = (change: (before: Phantoms) => Phantoms) =>
    setPhantoms((before) => {
      const after = change(before);
      if (side) savePhantoms(game, side, after);
      return after;
    });
  const drop = (from: Square | null, to: Square | null, kind: Guess) =>
    update((before) => {
      const rest = from ? without(before, [from]) : before;
      return to && !men[to] ? { ...rest, [to]: kind } : rest;
    });
  const drag = (from: Square | null, at: Square | null, kind: Guess, click: () => void): Drag => {
    let moved = false;
    setHeld({ from, at, kind });
    return {
      move: (square) => {
        moved = true;
        setHeld({ from, at: square && !men[square] ? square : null, kind });
      },
      end: (square) => {
        setHeld(null);
        if (moved) drop(from, square, kind);
        else click();
      },
    };
  };

  const rest = held?.from ? without(phantoms, [held.from]) : phantoms;
  return {
    shown: held?.at ? { ...rest, [held.at]: held.kind } : rest,
    count: Object.keys(phantoms).length,
    tool,
    setTool,
    grab: (square, moving) => {
      if (moving || men[square]) return null;
      const there = phantoms[square];
      if (there)
        return drag(square, square, there, () => {
          if (tool === 'erase' || tool === there) drop(square, null, there);
          else if (tool) drop(square, square, tool);
        });
      return tool && tool !== 'erase' ? drag(null, square, tool, () => drop(null, square, tool)) : null;
    },
    fromPalette: (kind) => drag(null, null, kind, () => setTool(tool === kind ? null : kind)),
    refute: (own, event) => update((before) => without(before, refuted(before, own, event))),
    meet: (square) => update((before) => ({ ...before, [square]: '?' })),
    clear: () => update(() => ({})),
    fill: () => update((before) => without({ ...startingPhantoms(start, side ?? 'white'), ...before }, Object.keys(men))),
  };
}

interface PaletteProps {
  hand: PhantomHand;
  side: Side;
  carry: { current: ((drag: Drag) => void) | null };
}

export function Palette({ hand, side, carry }: PaletteProps) {
  return (
    <section class="palette" aria-labelledby="palette-title">
      <div class="palette-head">
        <h2 id="palette-title">Your guesses</h2>
        <span class="hint">{hint(hand.tool)}</span>
      </div>
      <div class="palette-row" role="group" aria-label="Enemy men to place">
        {(['k', 'q', 'r', 'b', 'n', 'p', '?'] as Guess[]).map((kind) => (
          <button
            key={kind}
            type="button"
            class="palette-man"
            aria-pressed={hand.tool === kind}
            aria-label={`Place ${nameOf(kind)}`}
            onPointerDown={(event) => {
              if (event.button !== 0) return;
              event.currentTarget.releasePointerCapture(event.pointerId);
              carry.current?.(hand.fromPalette(kind));
            }}
            onKeyDown={(event) => {
              if (event.key !== 'Enter' && event.key !== ' ') return;
              event.preventDefault();
              hand.setTool(hand.tool === kind ? null : kind);
            }}
          >
            {kind === '?' ? <span class={`unknown-man ${other(side)}`}>?</span> : <Man kind={kind} side={other(side)} />}
          </button>
        ))}
        <button
          type="button"
          class="palette-man eraser"
          aria-pressed={hand.tool === 'erase'}
          aria-label="Remove guesses"
          title="Remove guesses"
          onClick={() => hand.setTool(hand.tool === 'erase' ? null : 'erase')}
        >
          ✕
        </button>
        <span class="spring" />
        <button type="button" class="plain" onClick={hand.fill} title="Put the enemy’s men where they started">
          Starting squares
        </button>
        <button type="button" class="plain" onClick={hand.clear} disabled={hand.count === 0}>
          Clear
        </button>
      </div>
    </section>
  );
}

const nameOf = (guess: Guess): string => (guess === '?' ? 'an unknown man' : `a ${ROLE[guess]}`);

function hint(tool: Tool): string {
  if (tool === 'erase') return 'click a guess to remove it';
  if (tool) return `click squares to place ${nameOf(tool)}`;
  return 'choose or drag a man; drop it off the board to remove it';
}
