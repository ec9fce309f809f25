import assert from 'node:assert/strict'
import test from 'node:test'
import fc from 'fast-check'
import { type IdNumberRefusal, readIdNumber, refuseIdNumber } from './id-number.ts'
import {
  type LicenceNumberRefusal,
  type LicenceNumberWarning,
  refuseLicenceNumber,
  warnOfLicenceNumber,
} from './licence-number.ts'

const TODAY = '2026-11-20'
const ID_NUMBERS = ['11010519491231002X', '440524188001010014']
const CREDIT_CODES = ['9144030071526726XG', '91330100799655058B', '91350100M000100Y43', '91110000802100433B']
const REGISTRATION_NUMBER = '110108000000016'
const CREDIT_SIGNS = '0123456789ABCDEFGHJKLMNPQRTUWXY'

const ID_CASES: [text: string, refusal: IdNumberRefusal | null][] = [
  ...ID_NUMBERS.map((number): [string, null] => [number, null]),
  ['11010519491231002x', null],
  // Of a foreigner who lives here for good.
  ['931840199001010011', null],
  ['USA110180010112', null],
  ['usa110180010112', null],
  ['US1110180010112', 'ID_NUMBER_FORMAT'],
  ['USA11018001011', 'ID_NUMBER_FORMAT'],
  ['', 'ID_NUMBER_FORMAT'],
  ['110105491231002', 'ID_NUMBER_FORMAT'],
  ['1101051949123100２X', 'ID_NUMBER_FORMAT'],
  ['11010519491231002X ', 'ID_NUMBER_FORMAT'],
  ['X10105194912310021', 'ID_NUMBER_FORMAT'],
  ['160105194912310021', 'ID_NUMBER_DIVISION'],
  ['000105194912310021', 'ID_NUMBER_DIVISION'],
  ['110105194913310021', 'ID_NUMBER_BIRTH'],
  ['110105194902290021', 'ID_NUMBER_BIRTH'],
  ['110105202611210020', 'ID_NUMBER_BIRTH'],
  ['110105194912310021', 'ID_NUMBER_CHECK'],
]
for (const [text, refusal] of ID_CASES)
  test(`the ID number "${text}" is ${refusal ?? 'taken'}`, () => {
    assert.equal(refuseIdNumber(text, TODAY), refusal)
  })

test('an ID number tells birth date and sex, a refused one nothing', () => {
  assert.deepEqual(readIdNumber('11010519491231002X', TODAY), { birthDate: '1949-12-31', sex: 'female' })
  assert.deepEqual(readIdNumber('440524188001010014', TODAY), { birthDate: '1880-01-01', sex: 'male' })
  assert.equal(readIdNumber('110105194912310021', TODAY), null)
  assert.equal(readIdNumber('USA110180010112', TODAY), null)
})

const LICENCE_CASES: [
  text: string,
  refusal: LicenceNumberRefusal | null,
  warning: LicenceNumberWarning | null,
][] = [
  ...CREDIT_CODES.map((code): [string, null, null] => [code, null, null]),
  [REGISTRATION_NUMBER, null, null],
  ['110108000000017', null, 'REGISTRATION_NUMBER_CHECK'],
  ['', 'LICENCE_NUMBER_FORMAT', null],
  ['9144030071526726XGG', 'LICENCE_NUMBER_FORMAT', null],
  ['9144030071526726xg', 'LICENCE_NUMBER_FORMAT', null],
  ['9144030071526726XI', 'LICENCE_NUMBER_FORMAT', null],
  ['11010800000001', 'LICENCE_NUMBER_FORMAT', null],
  ['9144030071526726XA', 'CREDIT_CODE_CHECK', null],
]
for (const [text, refusal, warning] of LICENCE_CASES)
  test(`the licence number "${text}" is ${refusal ?? warning ?? 'taken'}`, () => {
    assert.equal(refuseLicenceNumber(text), refusal)
    assert.equal(warnOfLicenceNumber(text), warning)
  })

test('a credit code whose own check holds is refused where that of its organization does not', () => {
  const code = '91440300715267260'
  const found = [...CREDIT_SIGNS].map(sign => refuseLicenceNumber(code + sign))
  assert.equal(found.filter(refusal => refusal === 'CREDIT_CODE_ORGANIZATION').length, 1)
  assert.equal(found.filter(refusal => refusal === 'CREDIT_CODE_CHECK').length, CREDIT_SIGNS.length - 1)
})

/** One sign of a text, put in place of another. */
function changed(texts: readonly string[], signs: string) {
  return fc
    .record({
      text: fc.constantFrom(...texts),
      place: fc.nat({ max: (texts[0]?.length ?? 1) - 1 }),
      sign: fc.constantFrom(...signs),
    })
    .filter(({ text, place, sign }) => text[place] !== sign)
    .map(({ text, place, sign }) => text.slice(0, place) + sign + text.slice(place + 1))
}

test('one wrong digit of an ID number is always found', () => {
  const wrong = changed(ID_NUMBERS, '0123456789X')
  fc.assert(fc.property(wrong, text => refuseIdNumber(text, TODAY) !== null))
})

test('one wrong sign of a credit code is always found', () => {
  fc.assert(fc.property(changed(CREDIT_CODES, CREDIT_SIGNS), text => refuseLicenceNumber(text) !== null))
})

test('one wrong digit of a registration number is always told', () => {
  fc.assert(
    fc.property(changed([REGISTRATION_NUMBER], '0123456789'), text => warnOfLicenceNumber(text) !== null),
  )
})

test('whatever is typed is answered', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 24 }), text => {
      refuseIdNumber(text, TODAY)
      readIdNumber(text, TODAY)
      refuseLicenceNumber(text)
      warnOfLicenceNumber(text)
    }),
  )
})
