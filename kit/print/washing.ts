// The fifteen icons of washing (D3 §3), drawn here as filled paths in a square of a thousand.

export const WASHING = {
  noWash: '不可水洗',
  wash30: '30度水洗',
  wash40: '40度水洗',
  wash50: '50度水洗',
  wash60: '60度水洗',
  noHangDry: '不可悬挂晾干',
  noDryClean: '不可干洗',
  noMachineWash: '不可机洗',
  noWring: '不可拧干',
  noBleach: '不可漂白',
  dryClean: '常规干洗',
  dripDry: '滴干',
  flatDry: '平摊晾干',
  handWash: '手洗',
  steamIron: '蒸汽熨烫',
} as const
export type WashingKey = keyof typeof WASHING
export const WASHING_KEYS = Object.keys(WASHING) as WashingKey[]

/** The side of the square an icon's path is drawn in. */
export const WASHING_SIDE = 1_000

const PEN = 60
type Point = readonly [x: number, y: number]

const polygon = (points: readonly Point[]): string =>
  `${points.map(([x, y], at) => `${at ? 'L' : 'M'}${Math.round(x)} ${Math.round(y)}`).join('')}Z`

/** The share of the radius that makes a curve of one control point on each side a quarter of a circle. */
const ROUND = 0.552_284_75

/** A circle; the other way round it is a hole. */
function circle([x, y]: Point, radius: number, isHole = false): string {
  const bend = radius * ROUND
  const turn = isHole ? -1 : 1
  const at = (across: number, down: number) => `${Math.round(x + across)} ${Math.round(y + turn * down)}`
  const r = radius
  return [
    `M${at(r, 0)}`,
    `C${at(r, bend)} ${at(bend, r)} ${at(0, r)}`,
    `C${at(-bend, r)} ${at(-r, bend)} ${at(-r, 0)}`,
    `C${at(-r, -bend)} ${at(-bend, -r)} ${at(0, -r)}`,
    `C${at(bend, -r)} ${at(r, -bend)} ${at(r, 0)}Z`,
  ].join('')
}

const dot = (at: Point, radius = PEN / 2): string => circle(at, radius)

/** A pen drawn along points, with round ends. */
function stroke(points: readonly Point[], pen = PEN): string {
  const half = pen / 2
  const pieces = points.slice(1).map(([x1, y1], at) => {
    const [x0, y0] = points[at] as Point
    const length = Math.sqrt((x1 - x0) ** 2 + (y1 - y0) ** 2)
    const [across, down] = [((y1 - y0) / length) * half, ((x1 - x0) / length) * half]
    // All pieces turn the same way, as dots do, so that where they meet stays filled.
    return polygon([
      [x0 + across, y0 - down],
      [x1 + across, y1 - down],
      [x1 - across, y1 + down],
      [x0 - across, y0 + down],
    ])
  })
  return pieces.join('') + points.map(at => dot(at, half)).join('')
}

const closed = (points: readonly Point[]): string => stroke([...points, points[0] as Point])
const ring = (at: Point, radius: number): string =>
  circle(at, radius + PEN / 2) + circle(at, radius - PEN / 2, true)
const CROSS =
  stroke([
    [120, 120],
    [880, 880],
  ]) +
  stroke([
    [880, 120],
    [120, 880],
  ])

const BASIN =
  stroke([
    [80, 250],
    [200, 820],
    [800, 820],
    [920, 250],
  ]) +
  stroke([
    [112, 380],
    [240, 330],
    [370, 380],
    [500, 330],
    [630, 380],
    [760, 330],
    [888, 380],
  ])
const SQUARE = closed([
  [140, 140],
  [860, 140],
  [860, 860],
  [140, 860],
])

/** Strokes of the digits that temperatures need, in a box of 130 by 250. */
const DIGITS: Record<string, readonly (readonly Point[])[]> = {
  '0': [
    [
      [0, 0],
      [130, 0],
      [130, 250],
      [0, 250],
      [0, 0],
    ],
  ],
  '3': [
    [
      [0, 0],
      [130, 0],
      [130, 250],
      [0, 250],
    ],
    [
      [20, 122],
      [130, 122],
    ],
  ],
  '4': [
    [
      [0, 0],
      [0, 150],
      [140, 150],
    ],
    [
      [110, 40],
      [110, 250],
    ],
  ],
  '5': [
    [
      [130, 0],
      [0, 0],
      [0, 115],
      [130, 115],
      [130, 250],
      [0, 250],
    ],
  ],
  '6': [
    [
      [130, 0],
      [0, 0],
      [0, 250],
      [130, 250],
      [130, 120],
      [0, 120],
    ],
  ],
}

const number = (text: string): string =>
  [...text]
    .flatMap((digit, at) =>
      (DIGITS[digit] ?? []).map(line =>
        stroke(
          line.map(([x, y]) => [320 + at * 230 + x, 480 + y] as const),
          54,
        ),
      ),
    )
    .join('')

const DRUM = SQUARE + ring([500, 500], 240)
/** Cloth turned like a sweet in its paper. */
const TWIST =
  closed([
    [300, 500],
    [400, 400],
    [600, 400],
    [700, 500],
    [600, 600],
    [400, 600],
  ]) +
  closed([
    [300, 500],
    [100, 380],
    [100, 620],
  ]) +
  closed([
    [700, 500],
    [900, 380],
    [900, 620],
  ])
const TRIANGLE = closed([
  [500, 130],
  [920, 850],
  [80, 850],
])
const CIRCLE = ring([500, 500], 370)
/** A line sagging between its ends. */
const SAG = stroke([
  [140, 140],
  [230, 250],
  [360, 320],
  [500, 345],
  [640, 320],
  [770, 250],
  [860, 140],
])
const HAND = stroke([
  [330, 80],
  [330, 330],
  [300, 470],
  [360, 600],
  [520, 640],
  [640, 560],
  [680, 420],
  [640, 300],
  [560, 300],
  [500, 130],
  [440, 120],
])
const IRON =
  closed([
    [80, 640],
    [180, 430],
    [320, 360],
    [800, 360],
    [900, 640],
  ]) +
  stroke([
    [330, 220],
    [740, 220],
    [790, 360],
  ])
const STEAM = [300, 500, 700]
  .map(x =>
    stroke([
      [x, 740],
      [x, 900],
    ]),
  )
  .join('')

const PATHS: Record<WashingKey, string> = {
  noWash: BASIN + CROSS,
  wash30: BASIN + number('30'),
  wash40: BASIN + number('40'),
  wash50: BASIN + number('50'),
  wash60: BASIN + number('60'),
  noHangDry: SQUARE + SAG + CROSS,
  noDryClean: CIRCLE + CROSS,
  noMachineWash: DRUM + CROSS,
  noWring: TWIST + CROSS,
  noBleach: TRIANGLE + CROSS,
  dryClean: CIRCLE,
  dripDry:
    SQUARE +
    [330, 500, 670]
      .map(x =>
        stroke([
          [x, 290],
          [x, 710],
        ]),
      )
      .join(''),
  flatDry:
    SQUARE +
    stroke([
      [290, 500],
      [710, 500],
    ]),
  handWash: BASIN + HAND,
  steamIron: IRON + STEAM,
}

/** SVG data, M, L, C and Z, in a square of WASHING_SIDE; holes turn the other way round. */
export const washingPath = (key: WashingKey): string => PATHS[key]
