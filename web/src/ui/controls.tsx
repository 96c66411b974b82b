// Small controls that several pages share.

import { h, type ComponentChildren } from 'preact';
import { useId, useState } from 'preact/hooks';
import type { Kind, Side } from '../api/types';
import { ROLE, sideName } from '../chess/men';

/** A man's picture, from the board's own set. */
export function Man({ kind, side }: { kind: Kind; side: Side }) {
  return (
    <span class="man cg-wrap" role="img" aria-label={`${sideName(side)} ${ROLE[kind]}`}>
      {h('piece', { class: `${side} ${ROLE[kind]}` })}
    </span>
  );
}

export function Notice({ kind = 'info', children }: { kind?: 'info' | 'error' | 'good'; children: ComponentChildren }) {
  return (
    <div class={`notice ${kind}`} role={kind === 'error' ? 'alert' : 'status'}>
      {children}
    </div>
  );
}

/** A page that has nothing to show but why. */
export function Trouble({ title, error, href, way }: { title: string; error: string; href: string; way: string }) {
  return (
    <div class="narrow">
      <h1>{title}</h1>
      <Notice kind="error">{error}</Notice>
      <p>
        <a class="button" href={href}>
          {way}
        </a>
      </p>
    </div>
  );
}

export const Busy = ({ children = 'Loading…' }: { children?: ComponentChildren }) => (
  <p class="busy" role="status">
    <span class="spinner" aria-hidden="true" />
    {children}
  </p>
);

interface ChoiceProps<T extends string> {
  legend: string;
  value: T;
  options: readonly { value: T; label: ComponentChildren; title?: string }[];
  choose(value: T): void;
  /** The legend is there for screen readers alone. */
  quiet?: boolean;
}

/** One of a few, side by side: radio buttons in the dress of a switch. */
export function Choice<T extends string>({ legend, value, options, choose, quiet }: ChoiceProps<T>) {
  const name = useId();
  return (
    <fieldset class="choice">
      <legend class={quiet ? 'hidden' : ''}>{legend}</legend>
      <div class="choice-row">
        {options.map((option) => (
          <label key={option.value} class={option.value === value ? 'chosen' : ''} title={option.title}>
            <input type="radio" name={name} value={option.value} checked={option.value === value} onChange={() => choose(option.value)} />
            <span>{option.label}</span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}

export function Field({ label, hint, children }: { label: string; hint?: ComponentChildren; children: ComponentChildren }) {
  return (
    <label class="field">
      <span class="field-label">{label}</span>
      {children}
      {hint && <span class="hint">{hint}</span>}
    </label>
  );
}

export function Check({ label, checked, set, hint }: { label: string; checked: boolean; set(value: boolean): void; hint?: string }) {
  return (
    <label class="check">
      <input type="checkbox" checked={checked} onChange={(event) => set(event.currentTarget.checked)} />
      <span>
        {label}
        {hint && <span class="hint">{hint}</span>}
      </span>
    </label>
  );
}

/** A link to hand on, with a button that copies it. */
export function CopyField({ label, value }: { label: string; value: string }) {
  const [copied, setCopied] = useState(false);
  const copy = async (input: HTMLInputElement | null) => {
    input?.select();
    try {
      await navigator.clipboard.writeText(value);
    } catch {
      // Without permission the text stays selected, ready for the keyboard.
      return;
    }
    setCopied(true);
    setTimeout(() => setCopied(false), 2000);
  };
  return (
    <div class="copy">
      <input readOnly value={value} aria-label={label} onFocus={(event) => event.currentTarget.select()} />
      <button type="button" onClick={(event) => void copy(event.currentTarget.parentElement?.querySelector('input') ?? null)}>
        {copied ? 'Copied' : 'Copy'}
      </button>
    </div>
  );
}

/** Saves text as a file of the reader's. */
export function saveFile(name: string, text: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([text], { type: 'text/plain' }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}
