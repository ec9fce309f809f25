import assert from 'node:assert/strict'
import test, { describe } from 'node:test'
import { type Moved, networkOf, PASS_LIMITS, refuseAnswer, refusePass, type TrailPoint } from './rules.ts'

const X = 180
const SHOWN_MS = 4_000

/** A hand: it hastens, slows down, and trembles. */
function hand(to = X, durationMs = 900, points = 40): Moved {
  const trail = Array.from({ length: points }, (_, i): TrailPoint => {
    const share = i / (points - 1)
    const eased = 1 - (1 - share) ** 3
    return [to * eased, Math.sin(i) * 2, durationMs * share]
  })
  return { by: 'pointer', x: to, durationMs, trail }
}

/** Arrow keys: large steps, then small ones, at moments that are never quite even. */
function keys(to = X): Moved {
  const steps = [...Array(Math.floor(to / 10)).fill(10), ...Array(Math.round((to % 10) / 2)).fill(2)]
  let [x, at] = [0, 0]
  const trail: TrailPoint[] = [[0, 0, 0]]
  for (const [i, step] of steps.entries()) {
    x += step
    at += 90 + (i % 5) * 13
    trail.push([x, 0, at])
  }
  return { by: 'keys', x, durationMs: at + 200, trail }
}

describe('an answer', () => {
  const cases: [name: string, moved: Moved, expected: string | null, shownMs?: number][] = [
    ['of a hand is accepted', hand(), null],
    ['may miss by four pixels', hand(X + 4), null],
    ['may not miss by five', hand(X + 5), 'CAPTCHA_MISSED'],
    ['may not miss by five on the other side', hand(X - 5), 'CAPTCHA_MISSED'],
    ['takes at least 200 ms', hand(X, 199), 'CAPTCHA_UNNATURAL'],
    ['of 200 ms is accepted', hand(X, 200), null],
    ['may take a person half a minute', hand(X, 30_000), null, 40_000],
    ['of a minute is accepted', hand(X, 60_000), null, 70_000],
    ['of more than a minute is told that it took too long', hand(X, 60_001), 'CAPTCHA_TOO_SLOW', 70_000],
    ['of keys is told so too', { ...keys(), durationMs: 60_001 }, 'CAPTCHA_TOO_SLOW', 70_000],
    ['that missed is told that, however long it took', hand(X + 5, 60_001), 'CAPTCHA_MISSED', 70_000],
    ['cannot take longer than the puzzle was there', hand(X, 6_000), 'CAPTCHA_UNNATURAL', 3_000],
    ['has at least ten points', hand(X, 900, 9), 'CAPTCHA_UNNATURAL'],
    ['of ten points is accepted', hand(X, 900, 10), null],
    ['without a trail is none', { ...hand(), trail: [] }, 'CAPTCHA_UNNATURAL'],
    ['ends where it says', { ...hand(X - 3), x: X }, 'CAPTCHA_UNNATURAL'],
    [
      'begins at the left',
      { ...hand(), trail: hand().trail.map(([x, y, t]) => [Math.max(x, 20), y, t]) },
      'CAPTCHA_UNNATURAL',
    ],
    ['goes forward in time', { ...hand(), trail: hand().trail.with(7, [60, 0, 1]) }, 'CAPTCHA_UNNATURAL'],
    [
      'of even steps at even times is a machine’s',
      { ...hand(), trail: Array.from({ length: 19 }, (_, i): TrailPoint => [i * 10, 0, i * 50]) },
      'CAPTCHA_UNNATURAL',
    ],
    [
      'of even speed at uneven times is a machine’s too',
      {
        ...hand(),
        trail: [0, 9, 21, 38, 50, 71, 80, 99, 120, 141, 163, 180].map((x): TrailPoint => [x, 0, x * 5]),
      },
      'CAPTCHA_UNNATURAL',
    ],
    ['by keys is accepted', keys(), null],
    ['by keys may take longer', { ...keys(), durationMs: 40_000 }, null, 60_000],
    ['by keys may miss no more than a hand', keys(X + 6), 'CAPTCHA_MISSED'],
    [
      'by keys moves by whole steps',
      {
        ...keys(),
        trail: keys().trail.map(([x, y, t], i, all) =>
          i === all.length - 1 ? [x, y, t] : [x + 0.4 * i, y, t],
        ),
      },
      'CAPTCHA_UNNATURAL',
    ],
    [
      'by keys is never quite even',
      { ...keys(), trail: keys().trail.map(([x, y], i): TrailPoint => [x, y, i * 33]) },
      'CAPTCHA_UNNATURAL',
    ],
  ]
  for (const [name, moved, expected, shownMs = SHOWN_MS] of cases)
    test(name, () => assert.equal(refuseAnswer(moved, X, shownMs), expected))
})

describe('letting through', () => {
  const now = Date.parse('2026-11-21T08:00:00Z')
  const none = { networkHour: 0, subjectHour: 0, subjectDay: 0, lastUsedMs: null }
  const { perNetworkHour, perHour, perDay } = PASS_LIMITS.code
  const cases = [
    ['is free at first', none, null],
    ['waits a minute', { ...none, lastUsedMs: now - 59_000 }, { code: 'CAPTCHA_TOO_SOON', secondsLeft: 1 }],
    ['goes on after a minute', { ...none, lastUsedMs: now - 60_000 }, null],
    [
      'ends after five in an hour',
      { ...none, subjectHour: perHour },
      { code: 'CAPTCHA_TOO_MANY', secondsLeft: 0 },
    ],
    [
      'ends after ten in a day',
      { ...none, subjectDay: perDay },
      { code: 'CAPTCHA_TOO_MANY', secondsLeft: 0 },
    ],
    [
      'ends for a network after twenty',
      { ...none, networkHour: perNetworkHour },
      { code: 'THROTTLED', secondsLeft: 0 },
    ],
    ['holds for a network below that', { ...none, networkHour: perNetworkHour - 1 }, null],
  ] as const
  for (const [name, use, expected] of cases)
    test(name, () => assert.deepEqual(refusePass('code', use, now), expected))
})

test('a network is an address, or the half of one that its owner cannot choose', () => {
  assert.equal(networkOf('203.0.113.7'), '203.0.113.7')
  assert.equal(networkOf('::ffff:203.0.113.7'), '203.0.113.7')
  assert.equal(networkOf('2001:db8:1:2:3:4:5:6'), '2001:db8:1:2')
  assert.equal(networkOf('2001:0db8:1:2::9'), '2001:db8:1:2')
  assert.equal(networkOf('2001:db8::1'), '2001:db8:0:0')
  assert.equal(networkOf('::1'), '0:0:0:0')
})
