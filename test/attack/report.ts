// What a part of the attack found, and how much it tried.

export type Report = {
  /** What should not be; the first few are printed. */
  breach(text: string): void
  /** Adds to a figure of the part's line. */
  count(name: string, by?: number): void
  /** Whether the time is over: what is left is left out, and said. */
  isOver(): boolean
}

export type Outcome = { figures: Record<string, number>; breaches: string[] }

/** `until`: a moment of `performance.now()`. */
export function openReport(until: number): Report & { outcome: Outcome } {
  const outcome: Outcome = { figures: {}, breaches: [] }
  return {
    outcome,
    breach: text => void outcome.breaches.push(text),
    count(name, by = 1) {
      outcome.figures[name] = (outcome.figures[name] ?? 0) + by
    },
    isOver: () => performance.now() > until,
  }
}

/** Also a refusal in words may be of that hundred: a service is out of reach, the disk is full. */
export function isBroken(status: number, code: string | undefined): boolean {
  return status >= 500 && (code === undefined || code === 'INTERNAL')
}
