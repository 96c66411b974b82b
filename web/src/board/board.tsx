// The board: chessground in a component. Everything else of the app says what should be seen, never how.
//
// Men are FEN letters by square; heat, marks and painted squares are classes of squares; arrows and
// phantoms are chessground's own shapes. Pointer work that is not moving men (placing, painting, dragging a
// phantom) comes in through `grab`.

import { Chessground } from '@lichess-org/chessground';
import type { Api } from '@lichess-org/chessground/api';
import type { Config } from '@lichess-org/chessground/config';
import type { DrawShape } from '@lichess-org/chessground/draw';
import type { Key } from '@lichess-org/chessground/types';
import { useEffect, useRef } from 'preact/hooks';
import type { Men, Side, Square } from '../api/types';
import { menInWords, placement } from '../chess/men';
import { brushes } from './shapes';

/** A pointer drag that the page took over from the board. */
export interface Drag {
  move?(square: Square | null): void;
  end(square: Square | null): void;
}

export interface BoardProps {
  men: Men;
  orientation: Side;
  /** What a screen reader calls the board. */
  label: string;
  /** The side whose men can be moved, with their destinations; nobody when absent. */
  movable?: { side: Side; to: Map<Square, Square[]>; move(from: Square, to: Square): void } | undefined;
  /** Classes of squares: heat, marks, paint. */
  squares?: Map<Square, string> | undefined;
  shapes?: DrawShape[] | undefined;
  lastMove?: Square[] | undefined;
  /** The side whose king is in check. */
  checked?: Side | undefined;
  /** Takes a pressed pointer over by returning a drag. `moving` tells that an own man is picked up. */
  grab?: ((square: Square, moving: boolean) => Drag | null) | undefined;
  /** Given a function that starts a drag from outside the board, as from a palette. */
  carry?: { current: ((drag: Drag) => void) | null } | undefined;
}

export function Board(props: BoardProps) {
  const element = useRef<HTMLDivElement>(null);
  const board = useRef<Api | null>(null);
  const latest = useRef(props);
  latest.current = props;

  useEffect(() => {
    const wrap = element.current as HTMLDivElement;
    const api = Chessground(wrap, fixed);
    board.current = api;
    const release = takeOver(wrap, api, latest);
    return () => {
      release();
      api.destroy();
      board.current = null;
    };
  }, []);

  useEffect(() => {
    board.current?.set(configOf(props, (from, to) => latest.current.movable?.move(from, to)));
  });

  const classes = ['board', props.grab ? 'grabs' : '', props.movable ? '' : 'still'].filter(Boolean).join(' ');
  return (
    <div class={classes} role="img" aria-label={`${props.label}. ${menInWords(props.men) || 'No men'}.`}>
      <div class="board-inner" ref={element} />
    </div>
  );
}

const fixed: Config = {
  coordinates: true,
  disableContextMenu: true,
  addDimensionsCssVarsTo: document.documentElement,
  animation: { enabled: !matchMedia('(prefers-reduced-motion: reduce)').matches, duration: 160 },
  highlight: { lastMove: true, check: true },
  draggable: { showGhost: true },
  premovable: { enabled: false },
  drawable: { enabled: true, brushes },
};

function configOf(props: BoardProps, after: (from: Square, to: Square) => void): Config {
  const { movable } = props;
  const config: Config = {
    fen: placement(props.men),
    orientation: props.orientation,
    lastMove: props.lastMove as Key[],
    check: props.checked ?? false,
    highlight: { custom: (props.squares ?? new Map()) as Map<Key, string> },
    drawable: { autoShapes: props.shapes ?? [] },
    movable: {
      free: false,
      dests: (movable?.to ?? new Map()) as Map<Key, Key[]>,
      showDests: true,
      events: { after },
    },
  };
  if (movable) {
    config.turnColor = movable.side;
    config.movable = { ...config.movable, color: movable.side };
  } else config.movable = { ...config.movable, color: undefined as never };
  return config;
}

/** Hears pointers before chessground does, and keeps from it those that a `grab` took. */
function takeOver(wrap: HTMLElement, api: Api, props: { current: BoardProps }): () => void {
  let drag: Drag | null = null;
  let last: Square | null = null;
  const at = (event: PointerEvent): Square | null => api.getKeyAtDomPos([event.clientX, event.clientY]) ?? null;
  if (props.current.carry) props.current.carry.current = (carried) => {
    api.state.dom.bounds.clear();
    drag = carried;
    last = null;
  };
  const down = (event: PointerEvent) => {
    if (event.button !== 0 || drag) return;
    api.state.dom.bounds.clear();
    const square = at(event);
    drag = square ? (props.current.grab?.(square, api.state.selected !== undefined) ?? null) : null;
    last = square;
  };
  const move = (event: PointerEvent) => {
    if (!drag) return;
    const square = at(event);
    if (square !== last) drag.move?.(square);
    last = square;
  };
  const up = (event: PointerEvent) => {
    const ended = drag;
    drag = null;
    ended?.end(event.type === 'pointercancel' ? null : at(event));
  };
  const hide = (event: Event) => {
    if (!drag) return;
    event.stopPropagation();
    if (event.cancelable) event.preventDefault();
  };
  wrap.addEventListener('pointerdown', down, true);
  wrap.addEventListener('mousedown', hide, true);
  wrap.addEventListener('touchstart', hide, { capture: true, passive: false });
  window.addEventListener('pointermove', move);
  window.addEventListener('pointerup', up);
  window.addEventListener('pointercancel', up);
  return () => {
    window.removeEventListener('pointermove', move);
    window.removeEventListener('pointerup', up);
    window.removeEventListener('pointercancel', up);
  };
}
