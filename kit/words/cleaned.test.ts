import assert from 'node:assert/strict'
import test from 'node:test'
import {
  cleanAccount,
  cleanCode,
  cleanLine,
  cleanLines,
  cleanPhone,
  cleanSearch,
  lengthOf,
  seenIn,
  typedDigits,
} from './cleaned.ts'

const UNSEEN = [
  ...[0x00ad, 0x034f, 0x061c, 0x115f, 0x1160, 0x180e, 0x2065, 0x206f, 0x2800, 0x3164, 0xffa0, 0xfe00, 0xfe0f],
  ...[0x200b, 0x200c, 0x200d, 0x200e, 0x200f, 0x202a, 0x202b, 0x202c, 0x202d, 0x202e, 0x2060, 0x2064],
  ...[0x2066, 0x2069, 0xfeff, 0x0007, 0x007f, 0x0090, 0xe0001, 0xe0041, 0xe0100],
].map(code => String.fromCodePoint(code))

test('a mark that nobody sees is no part of any text', () => {
  for (const mark of UNSEEN) {
    const named = `U+${mark.codePointAt(0)?.toString(16)}`
    for (const clean of [cleanLine, cleanLines, cleanCode, cleanPhone, cleanAccount, cleanSearch]) {
      assert.equal(clean(mark), '', named)
      assert.equal(clean(`${mark}138${mark}00138000${mark}`), '13800138000', named)
    }
    assert.equal(lengthOf(mark), 0, named)
  }
  assert.equal(cleanLine('\u0301'), '')
})

test('a name keeps what belongs to it', () => {
  for (const name of [
    '𠮷野家',
    'Café',
    '买买提·艾力',
    '老王•面馆',
    '张　三',
    '《江边》、甲/乙+丙',
    'Ａ座面馆',
  ])
    assert.equal(cleanLine(name), name)
  assert.equal(cleanLine('Cafe\u0301'), 'Café')
  assert.equal(cleanLine(' 江边\r\n面馆\t'), '江边面馆')
  assert.equal(cleanLine('John\u00a0Smith'), 'John Smith')
})

test('a text of several lines keeps them', () => {
  assert.equal(cleanLines('一\r\n二\r三\u2028四\n'), '一\n二\n三\n四')
})

test('a code is the same in full width and with blanks in it', () => {
  assert.equal(cleanCode('１２３ ４５６'), '123456')
  assert.equal(cleanCode('９１４４０３００ＭＡ５Ｆ　'), '91440300MA5F')
})

test('a phone is what is dialled', () => {
  for (const written of [
    '+86 138-0013-8000',
    '0086 13800138000',
    '86 138 0013 8000',
    '（１３８）００１３８０００',
    '138.0013.8000',
    '138－0013－8000',
    '138‑0013−8000',
    '\u202d13800138000\u202c',
  ])
    assert.equal(cleanPhone(written), '13800138000', written)
  assert.equal(cleanPhone('(0755) 1234-5678'), '075512345678')
  assert.equal(cleanPhone('+86 0755 12345678'), '075512345678')
  assert.equal(cleanPhone('86123456'), '86123456')
})

test('what is no phone stays to be refused: mending invents no digit', () => {
  assert.equal(cleanPhone('1380013800.0'), '1380013800.0')
  assert.equal(cleanAccount('1380013800.0'), '1380013800.0')
  assert.equal(cleanPhone('0755123456.0'), '0755123456.0')
  assert.equal(cleanPhone('1.38E+10'), '1.38E+10')
  assert.equal(cleanPhone('13800138000/13800138001'), '13800138000/13800138001')
})

test('an account is a phone as it is dialled, or a code as it stands', () => {
  assert.equal(cleanAccount('+86 138 0013 8000'), '13800138000')
  assert.equal(cleanAccount('ｓｈｏｐ-０１'), 'shop-01')
})

test('a box for digits takes one number, and never what several digits of a text would make', () => {
  for (const [text, digits] of [
    ['+86 138-0013-8000', '13800138000'],
    ['１２３ ４５６', '123456'],
    ['验证码：123456', '123456'],
    ['12a', '12'],
    ['', ''],
    ['1380013800.0', '7'],
    ['2.5', '7'],
    ['-1', '7'],
  ] as const)
    assert.equal(typedDigits(text, '7'), digits, text)
})

test('a phone is found however it was written, and a name as it is', () => {
  assert.equal(cleanSearch('+86 138-0013-8000'), '13800138000')
  assert.equal(cleanSearch('0755-12345678'), '0755-12345678')
  assert.equal(cleanSearch('138 0013'), '1380013')
  assert.equal(cleanSearch('１００００００１'), '10000001')
  assert.equal(cleanSearch('3-2-101'), '3-2-101')
  assert.equal(cleanSearch('江边（南山）面馆'), '江边（南山）面馆')
  assert.equal(cleanSearch('Joe Bar'), 'Joe Bar')
})

test('every text of a request is cleaned, wherever it stands, and nothing else', () => {
  const day = new Date(0)
  assert.deepEqual(seenIn({ a: 'x\u200b', b: [{ c: '\ufeff' }, 1, null], day, no: undefined }), {
    a: 'x',
    b: [{ c: '' }, 1, null],
    day,
    no: undefined,
  })
  const form = { password: 'abc\u200b123', newPassword: 'abc\u2800123' }
  assert.equal(seenIn(form), form)
})
