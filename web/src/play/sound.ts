// Sounds, made by the browser itself; muted or not is remembered.

import { recall, remember } from '../ui/store';

export type Sound = 'moved' | 'refused' | 'capture' | 'check' | 'heard' | 'won' | 'lost' | 'drawn';

interface Note {
  hertz: number;
  at: number;
  seconds: number;
  shape?: OscillatorType;
  loud?: number;
}

const NOTES: Record<Sound, Note[]> = {
  moved: [{ hertz: 330, at: 0, seconds: 0.09 }],
  heard: [{ hertz: 262, at: 0, seconds: 0.12 }],
  refused: [
    { hertz: 175, at: 0, seconds: 0.1, shape: 'triangle' },
    { hertz: 139, at: 0.09, seconds: 0.14, shape: 'triangle' },
  ],
  capture: [
    { hertz: 196, at: 0, seconds: 0.08, shape: 'triangle', loud: 0.5 },
    { hertz: 294, at: 0.06, seconds: 0.14 },
  ],
  check: [
    { hertz: 523, at: 0, seconds: 0.12 },
    { hertz: 659, at: 0.12, seconds: 0.2 },
  ],
  won: [
    { hertz: 392, at: 0, seconds: 0.2 },
    { hertz: 494, at: 0.16, seconds: 0.2 },
    { hertz: 587, at: 0.32, seconds: 0.5 },
  ],
  drawn: [
    { hertz: 392, at: 0, seconds: 0.25 },
    { hertz: 440, at: 0.2, seconds: 0.25 },
    { hertz: 392, at: 0.4, seconds: 0.5 },
  ],
  lost: [
    { hertz: 392, at: 0, seconds: 0.25 },
    { hertz: 311, at: 0.2, seconds: 0.3 },
    { hertz: 262, at: 0.42, seconds: 0.6 },
  ],
};

const KEY = 'nebel.muted';
let context: AudioContext | null = null;
let muted = recall(KEY, false);

export const isMuted = (): boolean => muted;

export function setMuted(value: boolean): void {
  muted = value;
  remember(KEY, value);
}

export function play(sound: Sound): void {
  // Browsers keep audio silent before the first gesture, and a test browser may have none.
  if (muted || !('AudioContext' in window) || !navigator.userActivation?.hasBeenActive) return;
  context ??= new AudioContext();
  if (context.state === 'suspended') void context.resume();
  const begin = context.currentTime + 0.01;
  for (const note of NOTES[sound]) {
    const oscillator = context.createOscillator();
    const gain = context.createGain();
    oscillator.type = note.shape ?? 'sine';
    oscillator.frequency.value = note.hertz;
    gain.gain.setValueAtTime(0, begin + note.at);
    gain.gain.linearRampToValueAtTime(0.2 * (note.loud ?? 1), begin + note.at + 0.015);
    gain.gain.exponentialRampToValueAtTime(0.001, begin + note.at + note.seconds);
    oscillator.connect(gain).connect(context.destination);
    oscillator.start(begin + note.at);
    oscillator.stop(begin + note.at + note.seconds);
  }
}
