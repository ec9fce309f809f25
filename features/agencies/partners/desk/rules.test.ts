import assert from 'node:assert/strict'
import test from 'node:test'
import { brokenOf } from '#kit/declare/form.ts'
import { NOTE } from './fields.ts'
import { LIMITS, refusePaper, reminderStage } from './rules.ts'

test('a contract comes to a mark at the days that are set, a week before its end, and on its last day', () => {
  for (const [daysLeft, expected] of [
    [31, null],
    [30, 30],
    [29, 30],
    [8, 30],
    [7, 7],
    [1, 7],
    [0, 0],
    [-1, null],
  ] as const)
    assert.equal(reminderStage(daysLeft, 30), expected, String(daysLeft))
  assert.equal(reminderStage(60, 90), 90)
})

test('a note says something, and no more than fits', () => {
  for (const [text, expected] of [
    ['', '请输入备注'],
    ['  \n', '请输入备注'],
    ['已通话', undefined],
    ['字'.repeat(LIMITS.note), undefined],
    ['字'.repeat(LIMITS.note + 1), `新备注不得超过${LIMITS.note}字`],
  ] as const)
    assert.equal(brokenOf(NOTE, { text })[0]?.message, expected)
})

test('a paper has a file and a name', () => {
  for (const [name, fileId, expected] of [
    ['合同', null, 'PAPER_FILE_REQUIRED'],
    [' ', 'x', 'PAPER_NAME_REQUIRED'],
    ['名'.repeat(LIMITS.paperName + 1), 'x', 'PAPER_NAME_TOO_LONG'],
    ['合同', 'x', null],
  ] as const)
    assert.equal(refusePaper({ name, fileId })?.code ?? null, expected)
})
