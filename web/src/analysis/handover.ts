// What another page hands to the analysis board, kept for the visit.

export interface Handover {
  rules: string;
  /** A view or transcript up to a move of White's. */
  view?: string;
  positions?: string[];
}

const KEY = 'nebel.analysis';

export function handToAnalysis(handover: Handover): void {
  try {
    sessionStorage.setItem(KEY, JSON.stringify(handover));
  } catch {
    // Without storage the analysis board opens empty.
  }
}

/** Takes what was handed over; once. */
export function takeHandover(): Handover | null {
  try {
    const text = sessionStorage.getItem(KEY);
    sessionStorage.removeItem(KEY);
    return text ? (JSON.parse(text) as Handover) : null;
  } catch {
    return null;
  }
}
