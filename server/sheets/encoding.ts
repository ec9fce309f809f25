// A text whose encoding nobody says: UTF-8, UTF-16 with or without its mark, GB18030 or Big5, as programs write them. Pure.
import { Unreadable } from './sheet-order.ts'

/** `said`: what the text itself says, such as a page does; taken where it can be. */
export function decoded(bytes: Uint8Array, said?: string): string {
  const wide = wideOf(bytes)
  if (wide !== null) return wide
  const narrow = strictly(bytes, 'utf-8')
  if (narrow !== null) return narrow
  if (said !== undefined && !/^utf-?8$/i.test(said)) {
    const text = strictly(bytes, said)
    if (text !== null) return text
  }
  if (isMostlyUtf8(bytes)) return new TextDecoder().decode(bytes)
  const chinese = chineseOf(bytes)
  const text = new TextDecoder(chinese).decode(bytes)
  const strange = text.match(/\p{Co}|\p{Cn}|\uFFFD/gu)?.length ?? 0
  if (strange > text.length / 100) throw new Unreadable('no-table')
  return text
}

function strictly(bytes: Uint8Array, encoding: string): string | null {
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes)
  } catch {
    // Not in it, or no encoding at all: the next is tried.
    return null
  }
}

const CONTROL = /[\p{Cc}--[\t\n\v\f\r\u0085]]/gv

/** Text in bytes has no zeros; in UTF-16 each blank, digit and comma has one, on the side that says which. */
function wideOf(bytes: Uint8Array): string | null {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return new TextDecoder('utf-16le').decode(bytes)
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return new TextDecoder('utf-16be').decode(bytes)
  const zeros = [0, 0]
  bytes.forEach((byte, at) => {
    if (byte === 0) zeros[at % 2] = (zeros[at % 2] ?? 0) + 1
  })
  const [even = 0, odd = 0] = zeros
  if (even + odd === 0) return null
  const most = Math.max(even, odd)
  if (Math.min(even, odd) > most / 20 || bytes.length % 2 === 1) throw new Unreadable('no-table')
  const text = strictly(bytes, odd > even ? 'utf-16le' : 'utf-16be')
  const strange = text?.match(/\p{Co}|\p{Cn}/gu)?.length ?? 0
  if (text === null || strange > text.length / 100 || (text.match(CONTROL)?.length ?? 0) > 0)
    throw new Unreadable('no-table')
  return text
}

/** Characters of several bytes that are whole, against those that are not: a program may have cut one in the middle. */
function isMostlyUtf8(bytes: Uint8Array): boolean {
  const text = new TextDecoder().decode(bytes)
  const broken = text.match(/\uFFFD/g)?.length ?? 0
  const whole = text.match(/[^\p{ASCII}\uFFFD]/gu)?.length ?? 0
  return whole > broken * 4
}

/** Of both, the everyday characters stand in a block of their own; a text is in the encoding in which most of it lies there. */
function chineseOf(bytes: Uint8Array): 'gb18030' | 'big5' {
  let [pairs, mainland, taiwan] = [0, 0, 0]
  for (let at = 0; at + 1 < bytes.length; at++) {
    const [lead = 0, trail = 0] = [bytes[at], bytes[at + 1]]
    if (lead < 0x81) continue
    pairs++
    if (lead >= 0xb0 && lead <= 0xd7 && trail >= 0xa1) mainland++
    if (lead >= 0xa4 && lead <= 0xc6 && ((trail >= 0x40 && trail <= 0x7e) || trail >= 0xa1)) taiwan++
    at++
  }
  return pairs > 0 && taiwan > mainland && strictly(bytes, 'big5') !== null ? 'big5' : 'gb18030'
}
