// Owns what is left of a text that somebody typed, pasted or brought, before any rule sees it: the one place where that is decided. Pure.

/**
 * Signs that draw nothing: what Unicode says may be passed over, controls, and the empty pattern of braille. Halves of a pair and the zero
 * are no text at all: whoever sends them is refused.
 */
const UNSEEN = /[[\p{Default_Ignorable_Code_Point}\p{Cc}\u2800\ufff9-\ufffb]--[\0\t\n\r\u0085]]/gv
const BREAKS = /\r\n?|[\u0085\u2028\u2029]/g
/** Blanks that look like the plain one; the wide one of Chinese stays. */
const BLANKS = /[\t\u00a0\u1680\u2000-\u200a\u202f\u205f]/g
/** An accent that was typed behind its letter; one without a letter belongs to nothing. */
const ACCENTED = /\p{L}\p{M}+/gu
const LOOSE_ACCENTS = /(?<=^|\s)\p{M}+/gu

/** Without marks that nobody sees; line breaks are all of one kind. */
export function seenText(text: string): string {
  return text.replace(BREAKS, '\n').replace(UNSEEN, '')
}

/** Nothing is taken from them: whoever has one types it in the same way again. */
const PASSWORDS: ReadonlySet<string> = new Set(['password', 'oldPassword', 'newPassword', 'confirmation'])

/** Every text in a value, whatever it is for: what nobody sees is no part of it. What has nothing of that stays the same object. */
export function seenIn<T>(value: T): T {
  if (typeof value === 'string') return seenText(value) as T
  if (Array.isArray(value)) {
    const seen = value.map(seenIn)
    return seen.every((one, at) => Object.is(one, value[at])) ? value : (seen as T)
  }
  if (value === null || typeof value !== 'object' || !isPlain(value)) return value
  const entries = Object.entries(value)
  const seen = entries.map(([key, one]): [string, unknown] => [key, PASSWORDS.has(key) ? one : seenIn(one)])
  return seen.every(([, one], at) => Object.is(one, entries[at]?.[1]))
    ? value
    : (Object.fromEntries(seen) as T)
}

/** No file, date or set, which are passed on as they are. */
function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === Object.prototype || prototype === null
}

/** A text of several lines. */
export function cleanLines(text: string): string {
  return seenText(text)
    .replace(BLANKS, ' ')
    .replace(LOOSE_ACCENTS, '')
    .replace(ACCENTED, letter => letter.normalize('NFC'))
    .trim()
}

/** A text of one line: a name keeps its letters, 𠮷 and é too. */
export function cleanLine(text: string): string {
  return cleanLines(text.replace(/\t/g, ' ')).replace(/\n/g, '')
}

/** Digits and letters that stand for something (a number, an account, the code of a paper): full width or not is the same, blanks are none. */
export function cleanCode(text: string): string {
  return seenText(text).normalize('NFKC').replace(/\s/g, '')
}

/** An amount or a count: full width or not is the same; blanks within stay to be refused. */
export function cleanNumber(text: string): string {
  return seenText(text).normalize('NFKC').trim()
}

const SEPARATORS = /[\p{Pd}\u2212_()·.]/gu
const MOBILE = /^1[3-9]\d{9}$/
/** Behind 86 a mobile phone, or an area with its zero. */
const COUNTRY = /^(?:\+|00)?86(?=1[3-9]\d{9}$)|^(?:\+|00)86(?=0\d{9,11}$)/
/** A point in front of a zero at the end is a number's, whose digits are not all of the phone's. */
const DECIMAL = /^\d+\.\d{0,2}$/

/** Digits that are dialled, without what people write between them and the country's number; anything else stays to be refused. */
export function cleanPhone(text: string): string {
  const plain = cleanCode(text)
  if (DECIMAL.test(plain)) return plain
  const bare = plain.replace(SEPARATORS, '').replace(COUNTRY, '')
  return /^\d+$/.test(bare) ? bare : plain
}

/** An account is mostly a phone, and then as it is dialled. */
export function cleanAccount(text: string): string {
  const phone = cleanPhone(text)
  return MOBILE.test(phone) ? phone : cleanCode(text)
}

/** What a box for digits holds after a change: what is no one number is left out whole, so that 2.5 does not become 25. */
export function typedDigits(text: string, before: string): string {
  const clean = cleanAccount(text)
  const runs = clean.match(/\d+/g) ?? []
  return runs.length > 1 || /^[-+\u2212]/.test(clean) ? before : (runs[0] ?? '')
}

/** What is looked for: a mobile phone or number as it is kept, anything else as a name is. */
export function cleanSearch(text: string): string {
  const line = cleanLine(text)
  const phone = cleanPhone(line)
  if (MOBILE.test(phone)) return phone
  const code = cleanCode(line)
  return /^\d+$/.test(code) || (/^[\w-]+$/.test(code) && !line.includes(' ')) ? code : line
}

/** Characters as people count them. */
export const lengthOf = (text: string): number => [...cleanLines(text)].length
