// What a form says where a value is missing or wrong: 请输入…, 请选择… or 请上传… where there is none, otherwise what is wrong with it.
import assert from 'node:assert/strict'
import { globSync } from 'node:fs'
import test from 'node:test'
import { brokenOf } from '#kit/declare/form.ts'
import { DECLARED } from './declared.ts'
import { ROOT } from './sources.ts'

/** Of the documents, to the letter. */
const OF_DOCUMENTS = new Set([
  '请输入不多于30个字的标题',
  '请输入正确的手机号',
  '请输入正确的店铺电话',
  '请输入正确的11位手机号码',
  '密码不能为空',
  '新密码不能为空',
  '请填入必填项',
])
const ASKED = /^请(输入|选择|上传|先|完成)/

const messages: [name: string, code: string, text: string][] = []
for (const path of globSync('features/**/rules*.ts', { cwd: ROOT }).filter(path => !path.includes('.test.')))
  for (const [name, value] of Object.entries((await import(`#${path}`)) as Record<string, unknown>))
    if (value && typeof value === 'object')
      for (const [code, text] of Object.entries(value))
        if (/^[A-Z]+(_[A-Z]+)+$/.test(code) && typeof text === 'string')
          messages.push([`${path} ${name}`, code, text])

test('where a value is missing, the message asks for it', () => {
  const missing = messages.filter(([, code]) => code.endsWith('_REQUIRED'))
  assert.ok(missing.length > 30)
  assert.deepEqual(
    missing.filter(([, , text]) => !ASKED.test(text) && !OF_DOCUMENTS.has(text)),
    [],
  )
})

test('where a value is wrong, the message says so and does not ask for one', () => {
  const wrong = messages.filter(([, code]) => /_(FORMAT|SYMBOLS|TOO_LONG|MOBILE)$/.test(code))
  assert.ok(wrong.length > 30)
  assert.deepEqual(
    wrong.filter(
      ([, code, text]) => ASKED.test(text) && !OF_DOCUMENTS.has(text) && code !== 'SIGNATURE_TOO_LONG',
    ),
    [],
  )
})

test('a typed text of every form says whether it is missing or too long, never both', () => {
  const typed = DECLARED.flatMap(({ fields }) => Object.entries(fields)).filter(([, { control }]) =>
    ['text', 'lines'].includes(control?.as ?? ''),
  )
  assert.ok(typed.length > 5)
  for (const [key, field] of typed) {
    const label = field.control?.label ?? field.label
    const told = (text: string) => brokenOf({ [key]: field }, { [key]: text }).map(({ message }) => message)
    // A space may be part of a secret.
    assert.deepEqual(
      told(field.control?.as === 'text' && field.control.secret ? '' : ' '),
      field.control?.required ? [field.control.missing ?? `请输入${label}`] : [],
      key,
    )
    if (field.max === undefined) continue
    assert.deepEqual(told('字'.repeat(field.max)), [], key)
    assert.deepEqual(told('字'.repeat(field.max + 1)), [`${label}不得超过${field.max}字`], key)
  }
})
