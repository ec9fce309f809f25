import assert from 'node:assert/strict'
import test from 'node:test'
import { causeOf } from './rules.ts'

for (const [first, second, isSame, why] of [
  ['银行账号有误', '银行账号有误。', true, 'signs at the end'],
  ['银行账号 有误', '银行账号有误', true, 'spaces'],
  ['营业执照编号“91330100”不存在', '营业执照编号“91440300”不存在', true, 'what is quoted'],
  ['卡号 6214****1234 与姓名不符', '卡号 6222****9 与姓名不符', true, 'numbers'],
  ['图片最大 2MB', '图片最大 2mb', true, 'case'],
  ['费率（0.6%）不适用', '费率(0.38%)不适用', true, 'what stands in brackets, of either width'],
  ['银行账号有误', '银行户名有误', false, 'other words'],
  ['简称不能为空', '简称不能', false, 'a part'],
] as const)
  test(`${isSame ? 'the same but for' : 'not the same:'} ${why}`, () => {
    assert.equal(causeOf(first) === causeOf(second), isSame)
  })

test('a reason of signs alone has a cause, too', () => {
  assert.equal(causeOf('？？'), '')
})
