// Links to hand on: for the other player, and for those who watch. A link that only this computer could open is not
// handed on; it is said how to get one that others can.

import { useState } from 'preact/hooks';
import type { GameFacts, Meta, Side } from '../api/types';
import { sideName } from '../chess/men';
import { href } from '../router';
import { CopyField, Notice } from '../ui/controls';
import { QrCode } from '../ui/qr';
import { knownGame } from '../ui/store';

/** The link for the second person, if this browser made the game. */
export const inviteOf = (id: string, token: string): string | null => knownGame(id, token)?.invite ?? null;

export function Invite({ invite, enemy, meta }: { invite: string; enemy: Side; meta: Meta | null }) {
  return (
    <Notice>
      <p>Send this link to the other player. Whoever opens it plays {sideName(enemy)}.</p>
      <LinkToGive label="Link for the other player" path={invite} meta={meta} code />
    </Notice>
  );
}

/** The link to watch, shown when it is asked for. */
export function WatchLink({ game, meta }: { game: GameFacts; meta: Meta | null }) {
  const [open, setOpen] = useState(false);
  if (!game.watch) return null;
  return (
    <details class="watch-link" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>Let others watch</summary>
      {open && (
        <>
          <p class="hint">
            Whoever has this link sees what you see, as it happens, and after the game everything. {game.link && 'It shows your men: keep it from your opponent.'}
          </p>
          <LinkToGive label="Link to watch" path={`/${href('watch', game.id, game.watch)}`} meta={meta} />
        </>
      )}
    </details>
  );
}

interface LinkProps {
  label: string;
  /** From the root of this server. */
  path: string;
  meta: Meta | null;
  /** Whether it is shown as a code for a phone's camera. */
  code?: boolean;
}

function LinkToGive({ label, path, meta, code }: LinkProps) {
  const page = pageForOthers(location, meta?.elsewhere ?? []);
  const link = new URL(path, page ?? location.href).href;
  return (
    <>
      <CopyField label={label} value={link} />
      {page ? (
        code && <QrCode text={link} label={`${label} as a QR code`} />
      ) : (
        <p class="hint only-here">
          Only this computer can open it. For others in your network start Nebel with <code>nebel --host 0.0.0.0</code> and come back to this game.
        </p>
      )}
    </>
  );
}

/** The page as others open it: as it was opened here, unless that name means this computer alone. */
export function pageForOthers({ hostname, href: here }: Pick<Location, 'hostname' | 'href'>, elsewhere: readonly string[]): string | null {
  const isLoopback = hostname === 'localhost' || hostname === '[::1]' || /^127\./.test(hostname);
  return isLoopback ? (elsewhere[0] ?? null) : here;
}
