// A small board that only shows: men as pictures on squares, without the machinery of the large one.

import { h } from 'preact';
import type { Men } from '../api/types';
import { kindOf, menInWords, ROLE, sideOf } from '../chess/men';
import { fileOf, rankOf } from '../chess/squares';

export function MiniBoard({ men }: { men: Men }) {
  return (
    <div class="mini board cg-wrap" role="img" aria-label={menInWords(men)}>
      {Object.entries(men).map(([square, letter]) =>
        h('piece', {
          key: square,
          class: `${sideOf(letter)} ${ROLE[kindOf(letter)]}`,
          style: { transform: `translate(${fileOf(square) * 100}%, ${(7 - rankOf(square)) * 100}%)` },
        }),
      )}
    </div>
  );
}
