import assert from 'node:assert/strict'
import test from 'node:test'
import { barcodeOf, checkDigit, qrOf, wrongCheckDigit } from './codes.ts'

test('bars are EAN where the digits allow it, Code 128 otherwise, and nothing for what they cannot hold', () => {
  const cases: [text: string, symbology: string | undefined, width?: number][] = [
    ['6901234567892', 'ean13', 95],
    ['4006381333931', 'ean13', 95],
    ['96385074', 'ean8', 67],
    ['6901234567891', 'code128'],
    ['96385075', 'code128'],
    ['690123456789', 'code128'],
    ['HH-2026-000187', 'code128', 167],
    [' 96385074 ', 'ean8', 67],
    ['', undefined],
    ['   ', undefined],
    ['货号123', undefined],
    ['x'.repeat(81), undefined],
  ]
  for (const [text, symbology, width] of cases) {
    const code = barcodeOf(text)
    assert.equal(code?.symbology, symbology, text)
    if (width) assert.equal(code?.width, width, text)
    if (code) assert.equal(code.content, text.trim())
  }
})

test('an EAN-13 has the guards and widths of the standard', () => {
  const bars = new Array(95).fill('0')
  for (const { left, width } of barcodeOf('6901234567892')?.rects ?? []) bars.fill('1', left, left + width)
  const text = bars.join('')
  assert.equal(text.slice(0, 17), '10100010110100111')
  assert.equal(text.slice(45, 50), '01010')
  assert.equal(text.slice(92), '101')
})

test('the check digit is that of GS1', () => {
  assert.equal(checkDigit('690123456789'), 2)
  assert.equal(checkDigit('9638507'), 4)
  assert.equal(wrongCheckDigit('6901234567891'), 2)
  assert.equal(wrongCheckDigit('6901234567892'), null)
  assert.equal(wrongCheckDigit('123'), null)
})

test('a QR code holds addresses percent-encoded and refuses what is too much', () => {
  assert.equal(qrOf('https://例.cn/商品?q=1')?.content, 'https://%E4%BE%8B.cn/%E5%95%86%E5%93%81?q=1')
  assert.equal(qrOf('https://a.cn/%E5')?.content, 'https://a.cn/%E5')
  assert.equal(qrOf('会员价')?.content, '会员价')
  assert.equal(qrOf(''), null)
  assert.equal(qrOf('字'.repeat(2_000)), null)
  assert.equal(qrOf('a')?.width, 21)
})
