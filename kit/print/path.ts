// Outlines as SVG data, read once: moved, joined and cut into straight edges.

/** One command: M, L, Q or C with its absolute coordinates, or Z. */
export type Step = readonly [command: string, ...at: number[]]

const KEPT_MOST = 4_000
const kept = new Map<string, readonly Step[]>()

/** Data of M, L, Q, C (absolute, each letter written) and Z. */
export function stepsOf(data: string): readonly Step[] {
  const known = kept.get(data)
  if (known) return known
  const steps = (data.match(/[MLQCZ][^MLQCZ]*/g) ?? []).map((part): Step => {
    const numbers = part.slice(1).match(/-?\d+(?:\.\d+)?/g) ?? []
    return [part.charAt(0), ...numbers.map(Number)]
  })
  if (kept.size >= KEPT_MOST) kept.delete(kept.keys().next().value as string)
  kept.set(data, steps)
  return steps
}

/** Enlarged, then moved; whole numbers. */
export const movedPath = (data: string, unit: number, left: number, top: number): string =>
  stepsOf(data)
    .map(
      ([command, ...at]) =>
        command + at.map((number, index) => Math.round(number * unit + (index % 2 ? top : left))).join(' '),
    )
    .join('')

/** Closed lines around what is filled: x and y by turns. */
export type Contour = number[]

const PIECES = { least: 2, most: 24 } as const

/** How many straight pieces stand for a curve whose control points are this far apart, in dots. */
const piecesFor = (span: number) =>
  Math.min(PIECES.most, Math.max(PIECES.least, Math.ceil(2 * Math.sqrt(span))))

/** The outline in straight edges, after x × unit + left, y × unit + top. Only exact operations, so that it is the same everywhere. */
export function contoursOf(data: string, unit: number, left: number, top: number): Contour[] {
  const contours: Contour[] = []
  let contour: Contour = []
  let [x, y] = [0, 0]
  for (const [command, ...raw] of stepsOf(data)) {
    const at = raw.map((number, index) => number * unit + (index % 2 ? top : left))
    if (command === 'M') {
      contour = []
      contours.push(contour)
    }
    if (command === 'Q' || command === 'C') addCurve(contour, x, y, at)
    else contour.push(...at)
    if (at.length > 0) {
      x = at.at(-2) as number
      y = at.at(-1) as number
    }
  }
  return contours
}

function addCurve(contour: Contour, x: number, y: number, at: readonly number[]): void {
  const [x1, y1, x2, y2, x3, y3] =
    at.length === 4
      ? raised(x, y, at as [number, number, number, number])
      : (at as [number, number, number, number, number, number])
  const span =
    Math.abs(x1 - x) +
    Math.abs(y1 - y) +
    Math.abs(x2 - x1) +
    Math.abs(y2 - y1) +
    Math.abs(x3 - x2) +
    Math.abs(y3 - y2)
  const pieces = piecesFor(span)
  for (let piece = 1; piece <= pieces; piece++) {
    const t = piece / pieces
    const u = 1 - t
    const [a, b, c, d] = [u * u * u, 3 * u * u * t, 3 * u * t * t, t * t * t]
    contour.push(a * x + b * x1 + c * x2 + d * x3, a * y + b * y1 + c * y2 + d * y3)
  }
}

/** A curve of one control point as one of two. */
const raised = (x: number, y: number, [cx, cy, x3, y3]: [number, number, number, number]) =>
  [
    x + (2 / 3) * (cx - x),
    y + (2 / 3) * (cy - y),
    x3 + (2 / 3) * (cx - x3),
    y3 + (2 / 3) * (cy - y3),
    x3,
    y3,
  ] as const
