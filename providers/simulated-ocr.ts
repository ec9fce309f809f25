// What simulated readers of papers see in a picture. It may say so itself: a text that begins with MARK anywhere in its bytes,
// such as a PNG's tEXt chunk. Else what the control plane has for the next pictures (`next`), one after the other. Else a paper
// is made up from the picture's hash, whole and in order, and the same for the same picture.
import { createHash } from 'node:crypto'
import { crc32 } from 'node:zlib'
import { makeRandom, type Random } from '#kit/random.ts'
import { json, type SimAnswer, type SimRequest } from './simulator.ts'

export type PaperKind = 'licence' | 'front' | 'back' | 'bankCard'
/** What is wrong with a picture. `empty`: there is no paper in it. */
export type PaperProblem =
  | 'blurred'
  | 'copy'
  | 'reshot'
  | 'expired'
  | 'incomplete'
  | 'altered'
  | 'empty'
  | 'arrears'
/** Days are YYYYMMDD; no end: the paper does not end. */
export type PaperText = {
  number: string
  name: string
  person: string
  address: string
  sex: string
  birth: string
  authority: string
  from: string
  to: string | null
}
/** What is said of a picture; the rest is made up. */
export type SaidPaper = {
  kind?: PaperKind
  problem?: PaperProblem
  text?: Partial<PaperText>
  /** 0 to 100. */
  sharpness?: number
}
export type SeenPaper = {
  kind: PaperKind
  problem: PaperProblem | null
  text: PaperText
  sharpness: number
}

const MARK = 'simulated-paper:'
const SAID = new RegExp(`${MARK}([A-Za-z0-9_-]+);`)
const SHARP = 96
const FORMATS = [
  [0x89, 0x50, 0x4e, 0x47],
  [0xff, 0xd8, 0xff],
  [0x42, 0x4d],
]
/** IEND, with its length and checksum. */
const LAST_CHUNK = 12

/** As small as can be. */
export const ANY_PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR4nGNgYGBgAAAABQABh6FO1AAAAABJRU5ErkJggg==',
  'base64',
)

/** A PNG that says in a chunk of its own what it shows. */
export function pictureOf(said: SaidPaper): Buffer {
  const words = `${MARK}${Buffer.from(JSON.stringify(said)).toString('base64url')};`
  const typed = Buffer.from(`tEXtComment\0${words}`)
  const length = Buffer.alloc(4)
  length.writeUInt32BE(typed.length - 4)
  const check = Buffer.alloc(4)
  check.writeUInt32BE(crc32(typed))
  const end = ANY_PNG.subarray(-LAST_CHUNK)
  return Buffer.concat([ANY_PNG.subarray(0, -LAST_CHUNK), length, typed, check, end])
}

export function isPicture(bytes: Buffer): boolean {
  return FORMATS.some(signs => signs.every((sign, place) => bytes[place] === sign))
}

/** What a picture says of itself, or null. */
function saidBy(picture: Buffer): SaidPaper | null {
  const own = SAID.exec(picture.toString('latin1'))?.[1]
  return own ? (JSON.parse(Buffer.from(own, 'base64url').toString()) as SaidPaper) : null
}

/** What is wrong with a picture, as it says of itself. */
export function saidProblem(picture: Buffer): PaperProblem | null {
  return saidBy(picture)?.problem ?? null
}

/** One for each simulator. */
export function makeReader() {
  const next: SaidPaper[] = []
  return {
    see(picture: Buffer, wanted: PaperKind): SeenPaper {
      const said: SaidPaper = saidBy(picture) ?? next.shift() ?? {}
      const seed = createHash('sha256').update(picture).digest().readUInt32BE(0)
      const kind = said.kind ?? wanted
      const made = makeUp(makeRandom(seed), kind)
      const isOver = said.problem === 'expired' ? { from: '20000105', to: '20200105' } : {}
      return {
        kind,
        problem: said.problem ?? null,
        text: { ...made, ...isOver, ...said.text },
        sharpness: said.sharpness ?? SHARP,
      }
    },
    /** POST `next`: one SaidPaper or a list of them. */
    control(path: string, { method, body }: SimRequest): SimAnswer | null {
      if (path !== 'next') return null
      if (method === 'POST') next.push(...([JSON.parse(body.toString())].flat() as SaidPaper[]))
      return json({ next })
    },
  }
}

/** As licences print it. */
export function inWords(day: string): string {
  return `${day.slice(0, 4)}年${day.slice(4, 6)}月${day.slice(6)}日`
}

/** As ID cards print it. */
export function dotted(day: string): string {
  return `${day.slice(0, 4)}.${day.slice(4, 6)}.${day.slice(6)}`
}

/** The term of a paper, with its days written in a way. */
export function termOf({ from, to }: PaperText, written: (day: string) => string, between: string): string {
  return `${written(from)}${between}${to === null ? '长期' : written(to)}`
}

const SURNAMES = [...'王李张刘陈杨赵黄周吴']
const GIVEN = [...'伟芳娜敏静强磊洋艳勇']
const TRADES = ['餐饮', '商贸', '食品', '科技']
const SIGNS = '0123456789ABCDEFGHJKLMNPQRTUWXY'

function makeUp(random: Random, kind: PaperKind): PaperText {
  const person = `${random.pick(SURNAMES)}${random.pick(GIVEN)}${random.pick(GIVEN)}`
  const birth = `${1960 + random.whole(40)}0${1 + random.whole(9)}${10 + random.whole(19)}`
  const order = random.whole(1000)
  return {
    number:
      kind === 'licence'
        ? creditCode(random)
        : kind === 'bankCard'
          ? cardNumber(random)
          : idNumber(`110105${birth}${String(order).padStart(3, '0')}`),
    name:
      kind === 'licence'
        ? `北京模拟${random.pick(GIVEN)}${random.pick(TRADES)}有限公司`
        : kind === 'bankCard'
          ? '招商银行'
          : person,
    person,
    address: `北京市朝阳区模拟路${1 + random.whole(200)}号`,
    sex: order % 2 === 1 ? '男' : '女',
    birth,
    authority: '北京市公安局朝阳分局',
    from: `20${15 + random.whole(10)}0104`,
    to: random.chance(0.5) ? null : `20${40 + random.whole(10)}0104`,
  }
}

function idNumber(first17: string): string {
  const sum = [...first17].reduce((total, digit, place) => total + 2 ** (17 - place) * Number(digit), 0)
  const check = (12 - (sum % 11)) % 11
  return `${first17}${check === 10 ? 'X' : check}`
}

function cardNumber(random: Random): string {
  const first18 = `621483${String(100_000_000_000 + random.whole(800_000_000)).padStart(12, '0')}`
  const sum = [...first18].reverse().reduce((total, digit, place) => {
    const value = Number(digit) * (place % 2 === 0 ? 2 : 1)
    return total + (value > 9 ? value - 9 : value)
  }, 0)
  return `${first18}${(10 - (sum % 10)) % 10}`
}

function creditCode(random: Random): string {
  const organization = String(10_000_000 + random.whole(90_000_000))
  const weights = [3, 7, 9, 10, 5, 8, 4, 2]
  const sum = weights.reduce((total, weight, place) => total + weight * Number(organization[place]), 0)
  const last = (11 - (sum % 11)) % 11
  const first17 = `91110105${organization}${last === 10 ? 'X' : last}`
  let rest = 0
  for (const [place, sign] of [...first17].entries())
    rest = (rest + SIGNS.indexOf(sign) * Number(3n ** BigInt(place) % 31n)) % 31
  return `${first17}${SIGNS[(31 - rest) % 31]}`
}
