import assert from 'node:assert/strict'
import test from 'node:test'
import { idCardReading, licenceReading, readDay, readTerm } from './ocr.ts'

const NOW = new Date('2026-11-20T16:30:00Z')

test('days are read as papers and services write them', () => {
  for (const text of [
    '1995年5月3日',
    '1995年05月03日',
    '1995/5/3',
    '1995.05.03',
    '1995-05-03',
    '19950503',
    ' 19950503 ',
  ])
    assert.equal(readDay(text), '1995-05-03', text)
  for (const text of ['', '长期', '1995年', '1995年13月3日', '19950230', '950503', '1995'])
    assert.equal(readDay(text), null, text)
})

test('terms have a begin and an end, or none', () => {
  const cases: [text: string, from: string | null, to: string | null][] = [
    ['2017年01月04日至长期', '2017-01-04', '长期'],
    ['2017年01月04日至2037年01月03日', '2017-01-04', '2037-01-03'],
    ['2010.07.21-2030.07.21', '2010-07-21', '2030-07-21'],
    ['2010.07.21-长期', '2010-07-21', '长期'],
    ['2010-07-21至2030-07-21', '2010-07-21', '2030-07-21'],
    ['20100721-20300721', '2010-07-21', '2030-07-21'],
    ['20170104至29991231', '2017-01-04', '长期'],
    ['长期', null, '长期'],
    ['', null, null],
    ['2010.07.21', '2010-07-21', null],
    ['2010.07.21-2030.02.30', '2010-07-21', null],
  ]
  for (const [text, from, to] of cases) assert.deepEqual(readTerm(text), { from, to }, text)
})

test('a number whose check fails is shown and hardly believed, whatever its reader says', () => {
  const number = (text: string) => licenceReading({ number: { text, confidence: 0.99 } }, [], NOW).fields
  assert.deepEqual(number('9144030071526726XG'), {
    number: { value: '9144030071526726XG', confidence: 0.99 },
  })
  for (const text of ['9144030071526726XA', '110108000000017'])
    assert.deepEqual(number(text), { number: { value: text, confidence: 0.2 } })
  const id = idCardReading({ idNumber: { text: '110105194912310021', confidence: 0.1 } }, [], NOW)
  assert.deepEqual(id.fields, { idNumber: { value: '110105194912310021', confidence: 0.1 } })
})

test('what was not found is absent, and how sure one is stays between none and all', () => {
  const found = { name: { text: ' 张三 ', confidence: 7 }, address: { text: ' ', confidence: 1 } }
  assert.deepEqual(idCardReading({ ...found, sex: { text: null, confidence: 1 } }, [], NOW), {
    fields: { name: { value: '张三', confidence: 1 } },
    warnings: [],
  })
})

test('a term that ended before today in Shanghai is a warning, once', () => {
  const warnings = (text: string) =>
    idCardReading({ validTo: { text, confidence: 1 } }, ['copy', 'expired', 'copy'], NOW).warnings
  assert.deepEqual(warnings('2026-11-20'), ['copy', 'expired'])
  const alone = (text: string) => licenceReading({ validTo: { text, confidence: 1 } }, [], NOW).warnings
  assert.deepEqual([alone('2026-11-20'), alone('2026-11-21'), alone('长期')], [['expired'], [], []])
})
