// The time in tests of components: a working Monday, whatever the day. Kept beside the setup, which is run anew for each file while the
// page's own modules, and what they remember of time, are those of the files before.
let nowMs = Date.parse('2026-03-02T02:00:00Z')

/** When the next test begins, in ms: a minute after the one before. */
export function nextMoment(): number {
  nowMs += 60_000
  return nowMs
}
