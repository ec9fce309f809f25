// Draws a puzzle: a landscape made up on the spot, a hole, a hole that is none, noise, and the piece that was cut out.
import { randomBytes, randomInt } from 'node:crypto'
import { PUZZLE } from './rules.ts'

const { width, height, piece } = PUZZLE
/** Drawn larger than it is counted, for dense screens. */
const SCALE = 1.5
const WIDE = width * SCALE
const HIGH = height * SCALE
const GRAIN_SPARE = 96
const MARGIN = 8
const LEAST_BETWEEN = 40

export type Puzzle = {
  /** Where the left edge of the piece belongs; must not leave the server. */
  x: number
  /** Where its upper edge is. */
  y: number
  background: string
  piece: string
}

/** A puzzle with both pictures as data addresses. */
export async function drawPuzzle(): Promise<Puzzle> {
  const { default: sharp } = await import('sharp')
  const x = randomInt(PUZZLE.leastX, width - piece - MARGIN)
  const y = randomInt(MARGIN, height - piece - MARGIN)
  const shape = pieceShape()
  const scene = await sharp(Buffer.from(svg(width, height, landscape())))
    .composite([await grain()])
    .removeAlpha()
    .raw()
    .toBuffer()
  const raw = { raw: { width: WIDE, height: HIGH, channels: 3 as const } }
  const holes = svg(width, height, hole(shape, x, y) + hole(pieceShape(), ...decoyPlace(x, y)))
  const background = sharp(scene, raw).composite([{ input: Buffer.from(holes) }])
  const cut = sharp(scene, raw)
    .extract({
      left: Math.round(x * SCALE),
      top: Math.round(y * SCALE),
      width: piece * SCALE,
      height: piece * SCALE,
    })
    .ensureAlpha()
    .composite([
      { input: Buffer.from(svg(piece, piece, rim(shape))) },
      {
        input: Buffer.from(svg(piece, piece, `<path d="${shape.path}" transform="${shape.turn}"/>`)),
        blend: 'dest-in',
      },
    ])
  const [wide, small] = await Promise.all([
    background.jpeg({ quality: 78 }).toBuffer(),
    cut.webp({ quality: 84, alphaQuality: 90, effort: 1 }).toBuffer(),
  ])
  return { x, y, background: asAddress('jpeg', wide), piece: asAddress('webp', small) }
}

const asAddress = (type: string, bytes: Buffer) => `data:image/${type};base64,${bytes.toString('base64')}`

function svg(ofWidth: number, ofHeight: number, inner: string): string {
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${ofWidth} ${ofHeight}" width="${ofWidth * SCALE}" height="${ofHeight * SCALE}">${inner}</svg>`
}

const between = (least: number, most: number) => least + (randomInt(0, 1_000) / 1_000) * (most - least)
const round = (value: number) => Math.round(value * 10) / 10

type Shape = { path: string; turn: string }

/** A square whose four sides bulge out, in, or not at all, turned by any angle; it fills the piece's box at most. */
function pieceShape(): Shape {
  const side = 32
  const bulge = between(6.5, 8)
  const from = (piece - side) / 2
  const third = side / 2 - bulge
  const arc = (dx: number, dy: number, outward: number) =>
    outward === 0 ? `l${dx} ${dy}` : `a${round(bulge)} ${round(bulge)} 0 1 ${outward > 0 ? 1 : 0} ${dx} ${dy}`
  const [top, right, bottom, left] = bulges()
  const l = round(third)
  const gap = round(bulge * 2)
  const path = [
    `M${from} ${from}`,
    `h${l}`,
    arc(gap, 0, top),
    `H${from + side}`,
    `v${l}`,
    arc(0, gap, right),
    `V${from + side}`,
    `h${-l}`,
    arc(-gap, 0, bottom),
    `H${from}`,
    `v${-l}`,
    arc(0, -gap, left),
    'Z',
  ].join('')
  return { path, turn: `rotate(${randomInt(-24, 25)} ${piece / 2} ${piece / 2})` }
}

/** At least one side bulges out and one in, or it would be a plain square. */
function bulges(): [number, number, number, number] {
  const sides = [1, -1, randomInt(-1, 2), randomInt(-1, 2)]
  const start = randomInt(4)
  return [0, 1, 2, 3].map(i => sides[(i + start) % 4]) as [number, number, number, number]
}

function hole({ path, turn }: Shape, x: number, y: number): string {
  return `<g transform="translate(${x} ${y})"><g transform="${turn}">
    <path d="${path}" fill="#0a1420" fill-opacity="${round(between(0.42, 0.58))}"/>
    <path d="${path}" fill="none" stroke="#fff" stroke-opacity=".55" stroke-width="1.2"/></g></g>`
}

function rim({ path, turn }: Shape): string {
  return `<g transform="${turn}"><path d="${path}" fill="#fff" fill-opacity=".08" stroke="#0a1420" stroke-opacity=".35" stroke-width="4"/>
    <path d="${path}" fill="none" stroke="#fff" stroke-opacity=".95" stroke-width="1.6"/></g>`
}

/** Beside the true place and on another height, so that a person who sees the piece does not take it. */
function decoyPlace(x: number, y: number): [x: number, y: number] {
  const rows = range(MARGIN, height - piece - MARGIN).filter(at => Math.abs(at - y) >= LEAST_BETWEEN)
  const columns = range(MARGIN, width - piece - MARGIN).filter(at => Math.abs(at - x) >= piece)
  return [columns[randomInt(columns.length)] ?? MARGIN, rows[randomInt(rows.length)] ?? MARGIN]
}

const range = (from: number, to: number) => Array.from({ length: to - from }, (_, i) => from + i)

/** Sky, sun or moon, clouds and rows of hills, with colours of one time of day. */
function landscape(): string {
  const hue = randomInt(360)
  const warm = (hue + randomInt(24, 64)) % 360
  const shade = (light: number, of = hue, strength = 48) => `hsl(${of} ${strength}% ${light}%)`
  const sunX = randomInt(40, width - 40)
  const sunY = randomInt(24, 76)
  const hills = [0, 1, 2].map(i => hill(78 + i * 34, shade(58 - i * 15, (hue + i * 12) % 360, 38 + i * 4)))
  const clouds = Array.from({ length: 3 }, () => cloud(randomInt(width), randomInt(12, 88)))
  const lights = Array.from({ length: 14 }, () => {
    const size = between(0.8, 2.6)
    return `<circle cx="${randomInt(width)}" cy="${randomInt(height)}" r="${round(size)}" fill="#fff" fill-opacity="${round(between(0.2, 0.7))}"/>`
  })
  return `<defs><linearGradient id="s" x1="0" y1="0" x2="${round(between(0, 0.5))}" y2="1">
      <stop offset="0" stop-color="${shade(62)}"/><stop offset=".7" stop-color="${shade(82, warm, 62)}"/></linearGradient></defs>
    <rect width="${width}" height="${height}" fill="url(#s)"/>
    <circle cx="${sunX}" cy="${sunY}" r="${randomInt(14, 26)}" fill="${shade(92, warm, 90)}"/>
    ${clouds.join('')}${hills.join('')}${lights.join('')}`
}

function hill(base: number, colour: string): string {
  const points = Array.from({ length: 6 }, (_, i) => [i * (width / 5), base + between(-22, 22)] as const)
  const curves = points.slice(1).map(([x, y], i) => {
    const [fromX, fromY] = points[i] as readonly [number, number]
    const middle = (fromX + x) / 2
    return `C${round(middle)} ${round(fromY)} ${round(middle)} ${round(y)} ${round(x)} ${round(y)}`
  })
  return `<path d="M0 ${height}V${round(points[0]?.[1] ?? base)}${curves.join('')}V${height}Z" fill="${colour}"/>`
}

function cloud(x: number, y: number): string {
  const puffs = Array.from(
    { length: 4 },
    (_, i) =>
      `<ellipse cx="${x + i * 14}" cy="${y + randomInt(-4, 5)}" rx="${randomInt(12, 22)}" ry="${randomInt(6, 11)}"/>`,
  )
  return `<g fill="#fff" fill-opacity=".38">${puffs.join('')}</g>`
}

/** Grain, so that no two pictures subtract to a clean edge: a window at random in a sheet that is made once. */
async function grain() {
  const { default: sharp } = await import('sharp')
  grainSheet ??= makeGrain()
  const sheet = await grainSheet
  const input = await sharp(sheet.bytes, { raw: sheet.raw })
    .extract({ left: randomInt(GRAIN_SPARE), top: randomInt(GRAIN_SPARE), width: WIDE, height: HIGH })
    .raw()
    .toBuffer()
  return { input, raw: { width: WIDE, height: HIGH, channels: 4 as const } }
}

let grainSheet: Promise<{ bytes: Buffer; raw: { width: number; height: number; channels: 4 } }> | null = null

async function makeGrain() {
  const raw = { width: WIDE + GRAIN_SPARE, height: HIGH + GRAIN_SPARE, channels: 4 as const }
  const random = randomBytes(raw.width * raw.height)
  const bytes = Buffer.alloc(random.length * 4)
  // Light and dark specks of different strength.
  for (const [i, value] of random.entries()) bytes.set([value, value, value, 8 + (value % 17)], i * 4)
  return { bytes, raw }
}
