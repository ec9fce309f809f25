import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { TroubleTurn } from '#kit/ports/mini-programs.ts'
import { CALL_TROUBLES, REGISTRATION_TROUBLES, troubleOf } from './troubles.ts'

/** As the protocol's pages number them; a range that ends in the same words stands whole. */
const numbers = (text: string) =>
  text.split(/\s+/).flatMap(one => {
    const [from, to] = one.split('..').map(Number)
    return Array.from({ length: (to ?? (from as number)) - (from as number) + 1 }, (_, at) =>
      String((from as number) + at),
    )
  })
const CALLS = numbers(
  `-1 61070 86004 89247..89255 40001 42001 40164 45009 48001 61003..61007 61009 61010 61023 41033 53010..53019 91001..91004 91007
   91009 91011 91019 53200..53203 85049 40097 46001 53300..53302 53304 53306..53308 53311 85077 85013 85014 85043..85048 85064 9402202
   85001..85004 61039 61040 85006..85012 85023 85085..85087 85092 85093 86000..86002 86007..86010 87013 89401..89405 85019 85020 85052
   87011 87012 86071 87072`,
)
const REGISTRATIONS = numbers('-1 100001..100003 101..105 1000..1008 89247..89255 61070 86004')

describe('every number of the table has its sentence and what to do', () => {
  for (const [of, codes] of [
    ['call', CALLS],
    ['registration', REGISTRATIONS],
  ] as const)
    for (const code of codes)
      test(`${of} ${code}`, () => {
        const { words, advice } = troubleOf({ code, message: 'english' }, of)
        assert.match(words, /[一-鿿]{4}/)
        assert.match(advice, /[一-鿿]{4}/)
        assert.doesNotMatch(words, /english|无代码/)
        assert.doesNotMatch(words + advice, /[。；，]$/)
      })
})

test('no line of the tables is repeated by another’s words within a family that people tell apart', () => {
  for (const lines of [CALL_TROUBLES, REGISTRATION_TROUBLES]) {
    const all = Object.values(lines).map(([, words]) => words)
    assert.deepEqual(
      all.filter((one, at) => all.indexOf(one) !== at),
      [],
    )
  }
})

describe('whose turn it is', () => {
  const CASES: [code: string, turn: TroubleTurn][] = [
    ['-1', 'later'],
    ['61007', 'authorization'],
    ['61023', 'authorization'],
    ['61006', 'platform'],
    ['89251', 'state'],
    ['53010', 'data'],
    ['53202', 'quota'],
    ['85009', 'state'],
    ['85085', 'quota'],
    ['61039', 'later'],
    ['85064', 'platform'],
  ]
  for (const [code, turn] of CASES)
    test(code, () => assert.equal(troubleOf({ code, message: '' }).turn, turn))
})

test('the same number means another thing in the event of a registration', () => {
  assert.match(troubleOf({ code: '-1', message: '' }).words, /系统繁忙/)
  assert.match(troubleOf({ code: '-1', message: '' }, 'registration').words, /法人姓名不一致/)
})

test('a number that nobody knows shows its own words', () => {
  assert.deepEqual(troubleOf({ code: '12345', message: 'new thing' }), {
    turn: 'platform',
    words: '微信返回：new thing（12345）',
    advice: '请联系平台管理员处理',
  })
  assert.match(troubleOf({ code: 'toString', message: '' }).words, /未说明原因（toString）/)
})
