// A strict reader of ESC/POS for tests, which shares no code with what writes it: a byte that is no command it knows, and a length that
// does not fit, fail.
import assert from 'node:assert/strict'

export type Printed =
  | {
      kind: 'text'
      text: string
      align: number
      width: number
      height: number
      bold: boolean
      isChinese: boolean
    }
  | { kind: 'raster'; across: number; height: number; rows: Uint8Array; align: number }
  | { kind: 'barcode' | 'qr'; text: string; module: number; align: number }
  | { kind: 'feed'; dots: number }
  | { kind: 'cut' }

const START = { align: 0, width: 1, height: 1, bold: false, isChinese: false, module: 3, qrModule: 3 }

/** Everything that a printer would do, in its order. */
export function readEscpos(bytes: Uint8Array): Printed[] {
  const done: Printed[] = []
  let at = 0
  let state = { ...START }
  let line: number[] = []
  let stored: Uint8Array | null = null
  const take = (count = 1): Uint8Array => {
    assert.ok(at + count <= bytes.length, `${count} bytes are missing at ${at}`)
    at += count
    return bytes.subarray(at - count, at)
  }
  const one = () => take()[0] ?? 0
  const two = () => one() + one() * 256
  const endLine = () => {
    const { align, width, height, bold, isChinese } = state
    const text = new TextDecoder(isChinese ? 'gb18030' : 'latin1', { fatal: true }).decode(
      Uint8Array.from(line),
    )
    if (line.length > 0) done.push({ kind: 'text', text, align, width, height, bold, isChinese })
    line = []
  }
  const within = (value: number, from: number, to: number, what: string) => {
    assert.ok(value >= from && value <= to, `${what} is ${value} at ${at}`)
    return value
  }
  const single = () => {
    const command = String.fromCharCode(one())
    if (command === '@') state = { ...START }
    else if (command === 'a') {
      assert.equal(line.length, 0, 'aligned within a line')
      state.align = within(one(), 0, 2, 'alignment')
    } else if (command === 'E') state.bold = within(one(), 0, 1, 'bold') === 1
    else if (command === '3') one()
    else if (command === 'J') done.push({ kind: 'feed', dots: one() })
    else assert.fail(`ESC ${command} at ${at}`)
  }
  const chinese = () => {
    const command = String.fromCharCode(one())
    if (command === '&') state.isChinese = true
    else if (command === '!') {
      const value = one()
      assert.equal(value & ~0x0c, 0)
      assert.equal((value & 0x04) !== 0, state.width === 2, 'Chinese as wide as Latin')
      assert.equal((value & 0x08) !== 0, state.height === 2, 'Chinese as high as Latin')
    } else assert.fail(`FS ${command} at ${at}`)
  }
  const qr = () => {
    const length = two()
    const [cn, fn, ...rest] = take(length)
    assert.equal(cn, 0x31)
    if (fn === 0x41) assert.deepEqual(rest, [0x32, 0])
    else if (fn === 0x43) state.qrModule = within(rest[0] ?? 0, 1, 16, 'module')
    else if (fn === 0x45) within(rest[0] ?? 0, 0x30, 0x33, 'correction')
    else if (fn === 0x50) {
      assert.equal(rest[0], 0x30)
      stored = Uint8Array.from(rest.slice(1))
    } else if (fn === 0x51) {
      assert.ok(stored, 'printed a code that was not stored')
      const text = new TextDecoder('utf-8', { fatal: true }).decode(stored)
      done.push({ kind: 'qr', text, module: state.qrModule, align: state.align })
    } else assert.fail(`GS ( k ${fn} at ${at}`)
  }
  const group = () => {
    const command = String.fromCharCode(one())
    if (command === '!') {
      const value = one()
      state.width = within((value >> 4) + 1, 1, 2, 'width')
      state.height = within((value & 15) + 1, 1, 2, 'height')
    } else if (command === 'H') within(one(), 0, 3, 'place of the text')
    else if (command === 'h') within(one(), 1, 255, 'height')
    else if (command === 'w') state.module = within(one(), 2, 6, 'module')
    else if (command === 'k') {
      assert.equal(one(), 73)
      const text = code128Text(take(within(one(), 2, 255, 'length')))
      done.push({ kind: 'barcode', text, module: state.module, align: state.align })
    } else if (command === 'v') {
      assert.deepEqual([...take(2)], [0x30, 0])
      const [across, height] = [within(two(), 1, 128 * 2, 'bytes across'), within(two(), 1, 2_303, 'rows')]
      done.push({ kind: 'raster', across, height, rows: take(across * height).slice(), align: state.align })
    } else if (command === 'V') {
      assert.deepEqual([...take(2)], [0x42, 0])
      done.push({ kind: 'cut' })
    } else if (command === '(') {
      assert.equal(String.fromCharCode(one()), 'k')
      qr()
    } else assert.fail(`GS ${command} at ${at}`)
  }
  while (at < bytes.length) {
    const byte = one()
    if (byte === 0x1b) single()
    else if (byte === 0x1c) chinese()
    else if (byte === 0x1d) group()
    else if (byte === 0x0a) endLine()
    else {
      assert.ok(byte >= 0x20, `control ${byte} at ${at}`)
      line.push(byte)
      // The second of two bytes, and the others of four, may look like anything.
      if (state.isChinese && byte >= 0x81) {
        const next = one()
        line.push(next)
        if (next >= 0x30 && next <= 0x39) line.push(...take(2))
      }
    }
  }
  assert.equal(line.length, 0, 'text without the end of its line')
  return done
}

/** What the sets B and C of GS k 73 say. */
function code128Text(data: Uint8Array): string {
  let [text, set, at] = ['', '', 0]
  while (at < data.length) {
    const byte = data[at] ?? 0
    at += 1
    if (byte === 0x7b && data[at] !== 0x7b) {
      set = String.fromCharCode(data[at] ?? 0)
      at += 1
      assert.ok(set === 'B' || set === 'C', `set ${set}`)
    } else if (set === 'C') {
      assert.ok(byte <= 99, `pair ${byte}`)
      text += String(byte).padStart(2, '0')
    } else {
      assert.equal(set, 'B', 'a set comes first')
      if (byte === 0x7b) at += 1
      text += String.fromCharCode(byte)
    }
  }
  return text
}

/** The bands of a receipt as one picture. */
export function joinedRaster(printed: readonly Printed[]): {
  width: number
  height: number
  rows: Uint8Array
} {
  const bands = printed.flatMap(one => (one.kind === 'raster' ? [one] : []))
  const across = bands[0]?.across ?? 0
  assert.ok(bands.every(band => band.across === across))
  const rows = Uint8Array.from(bands.flatMap(band => [...band.rows]))
  return { width: across * 8, height: rows.length / across, rows }
}
