import assert from 'node:assert/strict'
import { test } from 'node:test'
import { initialsOf } from './pinyin.ts'

test('the first letter of each character, others as they are', () => {
  for (const [text, initials] of [
    ['我的商户', 'wdsh'],
    ['续费工作台', 'xfgzt'],
    ['账单明细', 'zdmx'],
    ['余额变动', 'yebd'],
    ['版本订单', 'bbdd'],
    ['过期商户', 'gqsh'],
    ['短信充值', 'dxcz'],
    ['安娜', 'an'],
    ['QQ客服 2', 'qqkf 2'],
    ['', ''],
  ] as const)
    assert.equal(initialsOf(text), initials, text)
})
