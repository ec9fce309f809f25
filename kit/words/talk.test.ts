import assert from 'node:assert/strict'
import test from 'node:test'
import { presenceText, refusePictures, refuseText, TALK_LIMITS } from './talk.ts'

test('a message has a text of at most 500 characters, of which one beyond the first plane is one', () => {
  const cases: readonly (readonly [string, ReturnType<typeof refuseText>])[] = [
    ['', 'CONTENT_REQUIRED'],
    [' \n ', 'CONTENT_REQUIRED'],
    ['在', null],
    ['长'.repeat(TALK_LIMITS.text), null],
    ['𠮷'.repeat(TALK_LIMITS.text), null],
    ['长'.repeat(TALK_LIMITS.text + 1), 'CONTENT_TOO_LONG'],
  ]
  for (const [text, code] of cases) assert.equal(refuseText(text), code, text.slice(0, 8))
})

test('and at most five pictures', () => {
  assert.deepEqual([0, 5, 6].map(refusePictures), [null, null, 'PICTURES_TOO_MANY'])
})

test('who types is said before who only looks', () => {
  const looks = { name: '李四', typing: false }
  const types = { name: '王五', typing: true }
  assert.equal(presenceText([]), '')
  assert.equal(presenceText([looks]), '李四 也在查看')
  assert.equal(presenceText([looks, types]), '王五 正在回复…')
})
