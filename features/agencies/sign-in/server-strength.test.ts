import assert from 'node:assert/strict'
import test from 'node:test'
import { dictionary } from '@zxcvbn-ts/language-common'
import { isPassword } from '#kit/words/password.ts'
import { CONTEXT_WORDS } from './rules.ts'
import { refuseGuessed } from './server-strength.ts'

const isRefused = (password: string, words: readonly string[] = []) =>
  refuseGuessed(password, words).then(
    () => false,
    (error: { code: string }) => error.code === 'PASSWORD_GUESSED',
  )

test('of what leaked elsewhere and is tried first, nothing is taken', async () => {
  const leaked = (dictionary['passwords-common'] as string[]).filter(isPassword)
  assert.ok(leaked.length > 10_000, `${leaked.length}`)
  const taken: string[] = []
  for (const password of leaked.slice(0, 3_000)) if (!(await isRefused(password))) taken.push(password)
  // The rest is judged by the same list: every hundredth shows it.
  for (const password of leaked.slice(3_000).filter((_, at) => at % 100 === 0))
    if (!(await isRefused(password))) taken.push(password)
  assert.deepEqual(taken, [])
})

test('words of the product, with a year or a few digits, are guessed; so is what everybody knows of the account', async () => {
  for (const word of CONTEXT_WORDS.filter(({ length }) => length > 3))
    for (const password of [`${word}2026`, `${word}123`, `${word[0]?.toUpperCase()}${word.slice(1)}1`])
      assert.ok(await isRefused(password), password)
  assert.ok(await isRefused('xinyuan2026', ['xinyuan']))
  assert.ok(!(await isRefused('xinyuan2026')))
})

for (const [password, why] of [
  ['thisisquitealongpassphraseofwords', 'no digit and no symbol is asked for'],
  ['83920174650', 'digits alone'],
  ['#%&!?*+=-_/', 'symbols alone'],
  ['vQz7-mopado-41-tellurium-wagon-corn-frost-9-lamp'.padEnd(64, '-river'), 'sixty-four characters'],
] as const)
  test(`${why}: it is taken`, async () => {
    assert.ok(isPassword(password), `${password.length}`)
    assert.ok(!(await isRefused(password)))
  })
