// Setting men on a board by hand: a palette, and what the pointer does with the tool chosen there.

import type { Men, Square } from '../api/types';
import { kindOf, ROLE, sideName, sideOf } from '../chess/men';
import { Man } from '../ui/controls';
import type { Drag } from './board';

/** A man's letter to place, `erase`, or a tool of the page's own such as paint. */
export type EditTool = string;

/** The drag of an edit: place, or pick up what stands there and drop it elsewhere or off the board. */
export function editDrag(men: Men, tool: EditTool | null, set: (men: Men) => void): (square: Square) => Drag | null {
  return (square) => {
    const there = men[square];
    const isLetter = tool !== null && /^[pnbrqk]$/i.test(tool);
    const rest = { ...men };
    delete rest[square];
    if (tool === 'erase') {
      let left = rest;
      set(left);
      return {
        move: (over) => {
          if (!over || !left[over]) return;
          left = { ...left };
          delete left[over];
          set(left);
        },
        end: () => undefined,
      };
    }
    if (there) {
      let moved = false;
      return {
        move: (over) => {
          moved = true;
          set(over ? { ...rest, [over]: there } : rest);
        },
        end: () => {
          if (!moved && isLetter) set(tool === there ? rest : { ...rest, [square]: tool });
        },
      };
    }
    if (!isLetter) return null;
    const place = (over: Square | null) => set(over ? { ...men, [over]: tool } : men);
    place(square);
    return { move: place, end: () => undefined };
  };
}

interface PaletteProps {
  letters: string;
  tool: EditTool | null;
  choose(tool: EditTool | null): void;
}

export function EditPalette({ letters, tool, choose }: PaletteProps) {
  const toggle = (each: EditTool) => choose(each === tool ? null : each);
  return (
    <div class="palette-row" role="group" aria-label="Men to place">
      {[...letters].map((letter) => (
        <button
          key={letter}
          type="button"
          class="palette-man"
          aria-pressed={tool === letter}
          aria-label={`Place a ${sideName(sideOf(letter))} ${ROLE[kindOf(letter)]}`}
          onClick={() => toggle(letter)}
        >
          <Man kind={kindOf(letter)} side={sideOf(letter)} />
        </button>
      ))}
      <button type="button" class="palette-man eraser" aria-pressed={tool === 'erase'} aria-label="Remove men" title="Remove men" onClick={() => toggle('erase')}>
        ✕
      </button>
    </div>
  );
}
