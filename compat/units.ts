// How one value is written in the documents and by us, both ways. A value that it cannot read goes on as it came, and the operation's
// own shape refuses it: nothing is judged here.
import { formatInstant } from '#kit/time.ts'

export type Unit = {
  /** How docs/COMPAT.md says it. */
  words: string
  /** What a client sent, which is text, a number or a boolean, as the operation takes it; undefined where it means that nothing is asked. */
  read(sent: unknown): unknown
  /** What the operation answered, as the documents have it. */
  write(answered: unknown): unknown
}

const keep = (value: unknown) => value
const textOf = (sent: unknown) => (typeof sent === 'string' ? sent.trim() : String(sent))

export const text: Unit = {
  words: 'text',
  read: sent => (typeof sent === 'object' ? sent : String(sent)),
  write: keep,
}

export const whole: Unit = {
  words: 'whole number',
  read: sent => (/^-?\d{1,15}$/.test(textOf(sent)) ? Number(sent) : sent),
  write: keep,
}

const SIZES = [10, 20, 30, 50, 100]

/** Rows of a page: the documents ask for five at times, of a list whose smallest page is ten. */
export const pageSize: Unit = {
  words: `${SIZES.join(', ')}; a number between is the next of them`,
  read: sent => {
    const asked = whole.read(sent)
    return typeof asked === 'number' && asked > 0 ? (SIZES.find(size => size >= asked) ?? asked) : asked
  },
  write: keep,
}

/** Of a filter in which nothing, zero or -1 stands for all. */
export const wholeOrAll: Unit = {
  words: 'whole number; empty, 0 or -1: all',
  read: sent => (/^(-?1|0)?$/.test(textOf(sent)) && textOf(sent) !== '1' ? undefined : whole.read(sent)),
  write: keep,
}

/** What is asked for where nothing is a value of its own. */
export const wholeOrNull: Unit = {
  words: 'whole number; empty or 0: none',
  read: sent => (/^0?$/.test(textOf(sent)) ? null : whole.read(sent)),
  write: answered => answered ?? 0,
}

export const filterText: Unit = {
  words: 'text; empty: all',
  read: sent => (textOf(sent) === '' ? undefined : textOf(sent)),
  write: keep,
}

export const flag: Unit = {
  words: 'true or false, 1 or 0',
  read: sent => {
    const said = textOf(sent).toLowerCase()
    return said === 'true' || said === '1' ? true : said === 'false' || said === '0' ? false : sent
  },
  write: keep,
}

const AMOUNT = /^(-?)(\d{1,12})(?:\.(\d{1,2})0*)?$/

/** A number that is written with all its digits in JSON, as `298.50`. */
const written = (digits: string) => (JSON as unknown as { rawJSON(text: string): unknown }).rawJSON(digits)

/** Tokens or yuan with two decimals; hundredths within. */
export const amount: Unit = {
  words: 'amount with two decimals',
  read: sent => {
    const [, sign, integer = '', decimals = ''] = AMOUNT.exec(textOf(sent)) ?? []
    if (sign === undefined) return sent
    const hundredths = Number(integer) * 100 + Number(decimals.padEnd(2, '0'))
    return sign === '-' ? -hundredths : hundredths
  },
  write: answered => (typeof answered === 'number' ? written((answered / 100).toFixed(2)) : answered),
}

/** A share in hundredths of a percent as the factor that a price is multiplied by. */
export const factor: Unit = {
  words: 'factor, 1 is the full price',
  read: keep,
  write: answered => (typeof answered === 'number' ? answered / 10_000 : answered),
}

const INSTANT = /^(\d{4}-\d\d-\d\d)(?:[ T](\d\d:\d\d)(?::(\d\d))?)?$/

export const instant: Unit = {
  words: 'YYYY-MM-DD HH:mm:ss of Shanghai',
  read: sent => {
    const [, day, minute = '00:00', second = '00'] = INSTANT.exec(textOf(sent)) ?? []
    const at = day === undefined ? Number.NaN : Date.parse(`${day}T${minute}:${second}+08:00`)
    return Number.isNaN(at) ? sent : new Date(at).toISOString()
  },
  write: answered => (typeof answered === 'string' && answered !== '' ? formatInstant(answered) : answered),
}

export const instantOrNull: Unit = {
  words: `${instant.words}; empty: none`,
  read: sent => (textOf(sent) === '' ? null : instant.read(sent)),
  write: instant.write,
}

/** Of a filter: the day of what may name a time too. */
export const day: Unit = {
  words: 'YYYY-MM-DD, a time behind it is left out; empty: all',
  read: sent => (textOf(sent) === '' ? undefined : textOf(sent).slice(0, 10)),
  write: keep,
}

type Number_ = string | number

/** Numbers of the documents by our words. `all`: what stands for no filter. */
export function states(table: Readonly<Record<string, Number_>>, all: readonly Number_[] = []): Unit {
  const back = new Map(Object.entries(table).map(([ours, theirs]) => [String(theirs), ours]))
  const pairs = Object.entries(table).map(([ours, theirs]) => `${theirs} ${ours}`)
  return {
    words: [...pairs, ...all.map(one => `${one} all`)].join(', '),
    read: sent => {
      const said = textOf(sent)
      if (all.length > 0 && (said === '' || all.some(one => String(one) === said))) return undefined
      return back.get(said) ?? sent
    },
    write: answered => (answered === null ? null : (table[String(answered)] ?? answered)),
  }
}

/** What is shown of a state in Chinese. */
export function named(table: Readonly<Record<string, string>>): Unit {
  return { words: 'its Chinese name', read: keep, write: answered => table[String(answered)] ?? answered }
}

const PICTURE_AT = '/api/files/'

/** A picture that was uploaded: the path that the upload answered. */
export const picture: Unit = {
  words: 'path of an uploaded picture',
  read: sent => {
    const said = textOf(sent)
    return said === '' ? null : said.slice(said.lastIndexOf('/') + 1)
  },
  write: answered => (typeof answered === 'string' && answered !== '' ? `${PICTURE_AT}${answered}` : ''),
}

/** Several values in one, with commas between them. */
export function several(unit: Unit): Unit {
  return {
    words: `${unit.words}; several with commas or as a list`,
    read: sent => {
      const parts = Array.isArray(sent) ? sent : textOf(sent).split(/[,，]/)
      return parts.filter(part => textOf(part) !== '').map(part => unit.read(part))
    },
    write: answered => (Array.isArray(answered) ? answered.map(one => unit.write(one)).join(',') : answered),
  }
}

/** Codes of divisions: two digits for a province, four for a city; six lead to all three. */
export const division = (digits: 2 | 4 | 6): Unit => ({
  words: `code of ${digits} digits`,
  read: text.read,
  write: answered => (typeof answered === 'string' ? answered.slice(0, digits) : answered),
})

/** The documents have JSON, and queries, within texts; what is neither stays what it is. */
export function jsonOf(sent: unknown): unknown {
  if (typeof sent !== 'string') return sent
  if (/^[?&]?\w+=/.test(sent)) return Object.fromEntries(new URLSearchParams(sent))
  if (!/^\s*[[{]/.test(sent)) return sent
  try {
    return JSON.parse(sent)
  } catch {
    return sent
  }
}

/** A whole payload that another reader knows, both ways. */
export function payload(words: string, read: Unit['read'], write: Unit['write']): Unit {
  return { words, read, write }
}
