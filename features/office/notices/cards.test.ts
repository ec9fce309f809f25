import assert from 'node:assert/strict'
import { test } from 'node:test'
import { noticeCardStore, showNotice } from '#web/shell/notice-cards.ts'

const tell = (title: string, at: string) =>
  showNotice({ key: title, at, label: '消息', title, body: '', link: '' })

test('cards stand in the order of what happened, whichever was heard of first', () => {
  tell('支付成功', '2026-03-01T08:00:00.002Z')
  tell('余额不足', '2026-03-01T08:00:00.001Z')
  assert.deepEqual(
    noticeCardStore.read().cards.map(({ title }) => title),
    ['余额不足', '支付成功'],
  )
})
