import assert from 'node:assert/strict'
import test from 'node:test'
import { filled, flawOfPlaceholders, placeholdersIn, sampled } from './placeholders.ts'

const KNOWN = [
  { name: 'shop', label: '店铺名称' },
  { name: 'code', label: '验证码' },
]
const CASES: [text: string, flaw: string | null][] = [
  [`商户「\${shop}」的验证码是 \${code}`, null],
  [`\${code} \${shop} \${shop}`, null],
  [`验证码是 \${code}`, `正文缺少占位符 \${shop}（店铺名称）`],
  ['别的', `正文缺少占位符 \${shop}（店铺名称）`],
  [`\${shop} \${code} \${price}`, `正文的占位符 \${price} 无法识别`],
  [`\${shop} \${code} \${}`, `正文的占位符 \${} 无法识别`],
  [`\${shop} \${code} \${sh op}`, '正文有未写完整的占位符'],
  [`\${shop} \${code`, '正文有未写完整的占位符'],
]
for (const [text, flaw] of CASES)
  test(`placeholders of: ${text}`, () => assert.equal(flawOfPlaceholders('正文', text, KNOWN), flaw))

test('a text is filled, and shown with what its places are called', () => {
  const text = `商户「\${shop}」：\${code}，\${shop}`
  assert.deepEqual(placeholdersIn(text), ['shop', 'code'])
  assert.equal(filled(text, { shop: '老张面馆', code: '0123' }), '商户「老张面馆」：0123，老张面馆')
  assert.equal(filled(text, { code: '0123' }), `商户「\${shop}」：0123，\${shop}`)
  assert.equal(sampled(text, KNOWN), '商户「【店铺名称】」：【验证码】，【店铺名称】')
})
