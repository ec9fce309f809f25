// A strict reader of TSPL for tests, which shares no code with what writes it: a command, an argument or a byte that the language does
// not have, and anything beyond the label, fail.
import assert from 'node:assert/strict'

type At = { x: number; y: number }
export type Said =
  | (At & { kind: 'text'; font: string; enlarged: number; text: string; width: number; height: number })
  | (At & { kind: 'barcode'; type: string; height: number; module: number; text: string })
  | (At & { kind: 'qr'; correction: string; module: number; text: string })
  | (At & { kind: 'bar'; width: number; height: number })
  | (At & { kind: 'bitmap'; across: number; height: number; rows: Uint8Array })
export type TsplJob = { width: number; height: number; copies: number; said: Said[] }

/** Dots of a Latin letter. */
const FONTS: Record<string, readonly [width: number, height: number]> = {
  ...{ 1: [8, 12], 2: [12, 20], 3: [16, 24], 4: [24, 32], 5: [32, 48] },
  'TSS24.BF2': [12, 24],
}
const DIGITS: Record<string, number> = { EAN13: 12, EAN8: 7 }
const MODULES: Record<string, number> = { EAN13: 95, EAN8: 67 }

export function readTsplJob(bytes: Uint8Array, dots: number): TsplJob {
  let at = 0
  const fail = (why: string): never => assert.fail(`${why} at ${at}`)
  const upTo = (end: string): string => {
    const found = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).indexOf(end, at, 'latin1')
    if (found < 0) fail(`no ${JSON.stringify(end)}`)
    const text = Buffer.from(bytes.subarray(at, found)).toString('latin1')
    assert.match(text, /^[\x20-\x7e]*$/)
    at = found + end.length
    return text
  }
  const whole = (from: number, most: number, end = ','): number => {
    const text = upTo(end)
    const value = Number(text)
    if (!/^\d+$/.test(text) || value < from || value > most) fail(`${text} is not ${from} to ${most}`)
    return value
  }
  const literal = (text: string) => {
    const found = Buffer.from(bytes.subarray(at, at + text.length)).toString('latin1')
    if (found !== text) fail(`${JSON.stringify(found)} in place of ${JSON.stringify(text)}`)
    at += text.length
  }
  /** To the quote that ends it. A backslash is the first of \["] and nothing else, also for who does not know two bytes from one. */
  const quoted = (): string => {
    literal('"')
    const content: number[] = []
    for (;;) {
      const byte = bytes[at++] ?? fail('no end of a text')
      if (byte === 0x22) break
      if (byte === 0x5c) {
        literal('["]')
        content.push(0x22)
      } else if (byte >= 0x81 && byte <= 0xfe) {
        const next = bytes[at++] ?? 0
        if (next < 0x40 || next > 0xfe || next === 0x7f || next === 0x5c) fail(`second byte ${next}`)
        content.push(byte, next)
      } else if (byte >= 0x20 && byte <= 0x7e) content.push(byte)
      else fail(`byte ${byte} in a text`)
    }
    return new TextDecoder('gb18030', { fatal: true }).decode(Uint8Array.from(content))
  }
  const plain = (text: string) => {
    assert.match(text, /^[\x20-\x7e]+$/)
    return text
  }

  literal('SIZE ')
  const side = (end: string) => Math.round(Number(/^\d+(\.\d{1,3})?$/.exec(upTo(end))?.[0]) * dots)
  const [width, height] = [side(' mm,'), side(' mm\r\n')]
  literal('GAP ')
  side(' mm,')
  literal('0 mm\r\nDIRECTION 0,0\r\nREFERENCE 0,0\r\nCLS\r\n')
  const within = (x: number, y: number, wide: number, high: number) => {
    if (x + wide > width || y + high > height)
      fail(`${x},${y} of ${wide} by ${high} on ${width} by ${height}`)
  }
  const point = (): At => ({ x: whole(0, width), y: whole(0, height) })
  const said: Said[] = []
  const commands: Record<string, () => void> = {
    TEXT() {
      const { x, y } = point()
      const font = quoted()
      const [wide, high] = FONTS[font] ?? fail(`font ${font}`)
      literal(',0,')
      const enlarged = whole(1, 10)
      assert.equal(whole(1, 10), enlarged, 'as wide as high')
      const text = quoted()
      literal('\r\n')
      if (font !== 'TSS24.BF2') plain(text)
      const cells = [...text].reduce((sum, sign) => sum + (sign <= '\x7e' ? 1 : 2), 0)
      const [across, down] = [cells * wide * enlarged, high * enlarged]
      within(x, y, across, down)
      said.push({ kind: 'text', x, y, font, enlarged, text, width: across, height: down })
    },
    BARCODE() {
      const { x, y } = point()
      const type = quoted()
      literal(',')
      const high = whole(1, height)
      literal('0,0,')
      const module = whole(1, 10)
      assert.equal(whole(1, 10), module, 'wide as narrow')
      const text = plain(quoted())
      literal('\r\n')
      if (type === '128') assert.ok(text.length <= 80)
      else assert.match(text, new RegExp(`^\\d{${DIGITS[type] ?? fail(`code ${type}`)}}$`))
      within(x, y, (MODULES[type] ?? 0) * module, high)
      said.push({ kind: 'barcode', x, y, type, height: high, module, text })
    },
    QRCODE() {
      const { x, y } = point()
      const correction = upTo(',')
      assert.match(correction, /^[LMQH]$/)
      const module = whole(1, 10)
      literal('A,0,M2,S7,')
      const text = plain(quoted())
      literal('\r\n')
      within(x, y, 21 * module, 21 * module)
      said.push({ kind: 'qr', x, y, correction, module, text })
    },
    BAR() {
      const { x, y } = point()
      const [wide, high] = [whole(1, width), whole(1, height, '\r\n')]
      within(x, y, wide, high)
      said.push({ kind: 'bar', x, y, width: wide, height: high })
    },
    BITMAP() {
      const { x, y } = point()
      const [across, high] = [whole(1, Math.ceil(width / 8)), whole(1, height)]
      literal('0,')
      // Of the last byte the dots beyond the edge are white.
      within(x, y, across * 8 - 7, high)
      const rows = bytes.slice(at, at + across * high).map(byte => ~byte & 0xff)
      assert.equal(rows.length, across * high)
      at += rows.length
      literal('\r\n')
      said.push({ kind: 'bitmap', x, y, across, height: high, rows })
    },
  }
  for (;;) {
    const command = upTo(' ')
    if (command === 'PRINT') break
    const read = commands[command] ?? fail(`command ${command}`)
    read()
  }
  literal('1,')
  const copies = whole(1, 9_999, '\r\n')
  assert.equal(at, bytes.length, 'something after PRINT')
  return { width, height, copies, said }
}
