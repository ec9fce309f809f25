import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { joinedRaster, readEscpos } from '#test/print/escpos-reader.ts'
import { code128, escposRaster, escposText } from './escpos.ts'
import { gb18030, printed, unprintable } from './escpos-gb18030.ts'
import { itemsOf, PAPER_KEYS, PAPERS, RECEIPT_TYPE_KEYS, SECTION_KEYS, SECTIONS } from './receipt.ts'
import { type Line, linesOf } from './receipt-lines.ts'
import { sampleOf } from './receipt-samples.ts'
import { cellsOf, isWide } from './receipt-text.ts'

const groups = SECTION_KEYS.map((section, at) => ({
  ...{ groupId: at + 1, name: SECTIONS[section], section },
  items: itemsOf(section).map(item => ({ ...item, checked: true })),
}))
const CONTENT = { enableMakeUp: true, ordinary: groups, wide: groups }
const ROLLS = PAPER_KEYS.filter(paper => paper !== 210)

describe('GB18030', () => {
  test('comes back from every decoder, for every character of Unicode that it has', () => {
    const decoder = new TextDecoder('gb18030', { fatal: true })
    const lost: string[] = []
    for (let code = 0x20; code < 0x30000; code += 1) {
      if (code >= 0xd800 && code < 0xe000) continue
      const text = String.fromCodePoint(code)
      if (decoder.decode(gb18030(text)) !== text) lost.push(code.toString(16))
    }
    // What the decoder gives to no bytes at all.
    assert.ok(lost.length < 32, lost.join(' '))
    assert.ok(
      lost.every(code => code >= 'e000' && code <= 'ffff'),
      lost.join(' '),
    )
  })

  test('comes back for texts', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), text => {
        assert.equal(new TextDecoder('gb18030').decode(gb18030(text)), text)
      }),
    )
  })

  test('knows its bytes', () => {
    const cases: [string, number[]][] = [
      ['A', [0x41]],
      ['便民', [0xb1, 0xe3, 0xc3, 0xf1]],
      ['￥', [0xa3, 0xa4]],
      ['€', [0xa2, 0xe3]],
      ['\u3000', [0xa1, 0xa1]],
      ['😀', [0x94, 0x39, 0xfc, 0x36]],
      ['\ufffd', [0x84, 0x31, 0xa4, 0x37]],
    ]
    for (const [text, bytes] of cases) assert.deepEqual([...gb18030(text)], bytes, text)
  })

  test('tells what a printer has no letters for, and puts a sign as wide in its place', () => {
    assert.deepEqual(unprintable('便é民😀?'), ['😀'])
    assert.equal(printed('便民😀ñ', isWide), '便民？?')
  })
})

describe('a receipt as text', () => {
  test('is read back line by line, in its place and size, on every paper and of every type', () => {
    for (const paper of ROLLS)
      for (const type of RECEIPT_TYPE_KEYS)
        for (const length of ['typical', 'longest'] as const) {
          const lines = linesOf(CONTENT, { ...sampleOf(type, length), isReprint: true }, paper)
          const done = readEscpos(escposText(lines, { paper }))
          const texts = done.flatMap(one => (one.kind === 'text' ? [one] : []))
          for (const one of texts) {
            assert.ok(one.isChinese)
            assert.ok(cellsOf(one.text) * one.width * 12 <= PAPERS[paper].dots, one.text)
          }
          const wanted = lines.flatMap(line => (line.kind === 'text' ? [line] : []))
          const found = texts.map(({ text }) => text)
          for (const line of wanted) assert.ok(found.includes(printed(line.text, isWide)), line.text)
          const large = wanted.filter(line => line.large).length
          assert.equal(texts.filter(({ height }) => height === 2).length, large)
          assert.equal(done.at(-1)?.kind, 'cut')
        }
  })

  test('has its codes as commands, which say what they should', () => {
    const done = readEscpos(escposText(linesOf(CONTENT, sampleOf('sale'), 80), { paper: 80 }))
    assert.deepEqual(
      done.flatMap(one => (one.kind === 'barcode' || one.kind === 'qr' ? [one] : [])),
      [
        { kind: 'barcode', text: 'XS2026112600187', module: 2, align: 1 },
        { kind: 'barcode', text: '4200002026112614320818745', module: 2, align: 1 },
        { kind: 'qr', text: 'https://example.com/r/XS2026112600187', module: 5, align: 1 },
      ],
    )
  })

  test('has the logo as dots, and feeds the gap below an item', () => {
    const logo = { width: 16, height: 2, rows: Uint8Array.from([0xff, 0x00, 0x0f, 0xf0]) }
    const lines: Line[] = [
      { kind: 'logo', align: 1, picture: 'mine', block: 1, item: 101 },
      { kind: 'logo', align: 1, picture: null, block: 1, item: 101 },
      { kind: 'space', dots: 300, block: 1, item: 101 },
    ]
    assert.deepEqual(readEscpos(escposText(lines, { paper: 58, logos: new Map([['mine', logo]]) })), [
      { kind: 'raster', across: 2, height: 2, rows: logo.rows, align: 1 },
      { kind: 'feed', dots: 255 },
      { kind: 'feed', dots: 45 },
      { kind: 'cut' },
    ])
  })

  test('has sets of Code 128 that say the same, whatever is in it', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[\x20-\x7e]{1,40}$/), value => {
        const done = readEscpos(
          escposText([{ kind: 'barcode', value, align: 1, block: 1, item: 105 }], { paper: 80 }),
        )
        assert.equal(done.find(({ kind }) => kind === 'barcode')?.kind, 'barcode')
        assert.equal(done.flatMap(one => (one.kind === 'barcode' ? [one.text] : []))[0], value)
      }),
    )
    assert.deepEqual(code128('A{1234'), [0x7b, 0x42, 0x41, 0x7b, 0x7b, 0x7b, 0x43, 12, 34])
  })
})

test('a receipt as dots comes back dot by dot, in bands without a gap, and is cut', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 104 }),
      fc.integer({ min: 1, max: 700 }),
      fc.integer(),
      (across, height, seed) => {
        const rows = Uint8Array.from(
          { length: across * height },
          (_, at) => (Math.imul(at + 1, seed | 1) >>> 11) & 0xff,
        )
        const done = readEscpos(escposRaster({ width: across * 8 - 3, height, rows }))
        const read = joinedRaster(done)
        assert.deepEqual([read.width, read.height], [across * 8, height])
        assert.deepEqual(read.rows, rows)
        assert.equal(done.at(-1)?.kind, 'cut')
      },
    ),
    { numRuns: 30 },
  )
})
