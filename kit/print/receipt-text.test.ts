import assert from 'node:assert/strict'
import test from 'node:test'
import { lostAsText } from './escpos.ts'
import { gb18030, unprintable } from './escpos-gb18030.ts'
import { lostAsDots } from './receipt-scene.ts'
import { isWide, plainText } from './receipt-text.ts'

test('what a printer has no letter for has its twin', () => {
  assert.equal(plainText('¥5\u00a0½ m² • Cafe\u0301'), '￥5 1/2 m2 · Café')
  assert.deepEqual(unprintable(plainText('¥\u00a0½²³•ée\u0301')), [])
})

test('signs without a letter and without a twin are named, those of a barcode too', () => {
  const text = {
    kind: 'text',
    text: '𠮷野家 ★ ？5',
    align: 0,
    bold: false,
    large: false,
    block: null,
    item: null,
  } as const
  assert.deepEqual(lostAsText([text, { kind: 'rule' }, { kind: 'qr', value: '𫍯' }] as never), ['𠮷'])
  assert.deepEqual(lostAsText([]), [])
  const outline = { advance: 1_000, outline: '' }
  const known = Object.fromEntries([...'野家★？5'].map(letter => [letter, outline]))
  assert.deepEqual(lostAsDots([text], { regular: known, bold: known }), ['𠮷'])
  assert.deepEqual(lostAsDots([text], { regular: { ...known, 𠮷: outline }, bold: known }), ['𠮷'])
})

test('a character of two bytes is two columns wide', () => {
  for (let code = 0xa0; code < 0xe000; code++) {
    const character = String.fromCharCode(code)
    if (/\p{Cs}|\p{Cn}|\p{Co}/u.test(character) || gb18030(character).length !== 2) continue
    assert.ok(isWide(character), code.toString(16))
  }
})
