import assert from 'node:assert/strict'
import test from 'node:test'
import { countCall, makeOnboardingBook } from './simulator-onboarding-book.ts'
import { isIdNumber, isLicenceNumber } from './simulator-onboarding-numbers.ts'

test('fifteen calls of a service provider are taken in any second', () => {
  const book = makeOnboardingBook({
    file: null,
    callsASecond: 15,
    reviewMs: 0,
    signingMs: 0,
    changeMs: 0,
    opened: () => undefined,
  })
  const at = (ms: number) => new Date(Date.UTC(2026, 10, 2) + ms)
  for (let made = 0; made < 15; made++) countCall(book, '1900000002', at(made * 60))
  assert.throws(() => countCall(book, '1900000002', at(999)), { code: 'RATE_LIMITED' })
  countCall(book, '1900000003', at(999))
  countCall(book, '1900000002', at(1000))
})

test('numbers of licences and ID cards are checked as they are printed', () => {
  for (const good of ['9144030071526726XG', '91330100799655058B', '91110000802100433B', '110108000000016'])
    assert.ok(isLicenceNumber(good), good)
  for (const bad of ['9144030071526726XA', '91330100799655058', 'I1330100799655058B', '12345678901234'])
    assert.ok(!isLicenceNumber(bad), bad)
  for (const good of ['11010519491231002X', '440524188001010014'])
    assert.ok(isIdNumber(good, '2026-11-02'), good)
  for (const bad of ['110105194912310021', '11010519491331002X', '440524188001010015'])
    assert.ok(!isIdNumber(bad, '2026-11-02'), bad)
  assert.ok(!isIdNumber('11010519491231002X', '1949-12-30'), 'nobody is born later')
})
