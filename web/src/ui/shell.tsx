// The frame: name, navigation, the live region, and the place for a page.

import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { Route } from '../router';
import { onAnnounce } from './live';
import { LooksMenu } from './looks';

const LINKS: readonly { page: Route['page']; href: string; label: string }[] = [
  { page: 'home', href: '#/', label: 'Play' },
  { page: 'learn', href: '#/learn', label: 'Learn' },
  { page: 'review', href: '#/review', label: 'Review' },
  { page: 'problems', href: '#/problems', label: 'Problems' },
  { page: 'analysis', href: '#/analysis', label: 'Analysis' },
  { page: 'tables', href: '#/tables', label: 'Tables' },
  { page: 'results', href: '#/results', label: 'Results' },
];

export function Shell({ page, children }: { page: Route['page']; children: ComponentChildren }) {
  const [said, setSaid] = useState('');
  useEffect(() => onAnnounce(setSaid), []);
  const current = page === 'play' || page === 'watch' ? 'home' : page === 'rules' ? 'learn' : page;
  useEffect(() => {
    const link = LINKS.find((each) => each.page === current);
    document.title = link ? `${link.label} · Nebel` : 'Nebel · Kriegspiel';
  }, [current]);
  return (
    <>
      <a class="skip" href="#main" onClick={skip}>
        Skip to the content
      </a>
      <header class="top">
        <a class="brand" href="#/" aria-label="Nebel, to the first page">
          <Mist />
          Nebel
        </a>
        <nav aria-label="Pages">
          {LINKS.map((link) => (
            <a key={link.page} href={link.href} aria-current={link.page === current ? 'page' : undefined}>
              {link.label}
            </a>
          ))}
        </nav>
        <LooksMenu />
      </header>
      <main id="main" tabIndex={-1}>
        {children}
      </main>
      <div class="hidden" role="status" aria-live="polite" aria-atomic="true">
        {said}
      </div>
    </>
  );
}

/** The hash belongs to the routes, so the skip link moves the focus itself. */
function skip(event: Event): void {
  event.preventDefault();
  document.getElementById('main')?.focus();
}

const Mist = () => (
  <svg class="mist" viewBox="0 0 32 20" aria-hidden="true">
    <path d="M2 5c4-3.5 8-3.5 14 0s10 3.5 14 0" />
    <path d="M2 11c4-3.5 8-3.5 14 0s10 3.5 14 0" />
    <path d="M2 17c4-3.5 8-3.5 14 0s10 3.5 14 0" />
  </svg>
);
