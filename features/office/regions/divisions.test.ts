import assert from 'node:assert/strict'
import test from 'node:test'
import { divisionsWith } from './divisions.ts'

const divisions = divisionsWith([])
const found = (typed: string): string[] =>
  divisions
    .offered()
    .filter(({ code }) => code.length === 6)
    .filter(({ code }) =>
      divisions.isCalled(
        typed,
        [2, 4, 6].map(length => ({
          code: code.slice(0, length),
          name: divisions.nameOf(code.slice(0, length)) ?? '',
        })),
      ),
    )
    .map(({ name }) => name)

test('a place is found by its names, apart or in one', () => {
  for (const typed of ['广东 深圳 南山', '广东省/深圳市/南山区', '深圳南山', '\u200b深圳南山\u3000'])
    assert.deepEqual(found(typed), ['南山区'], typed)
})

test('a city without districts is found as it stands', () => {
  for (const [typed, name] of [
    ['东莞', '东莞市'],
    ['广东省东莞市', '东莞市'],
    ['广东东莞', '东莞市'],
    ['儋州', '儋州市'],
    ['嘉峪关市', '嘉峪关市'],
  ] as const)
    assert.deepEqual(found(typed), [name], typed)
  assert.ok(found('中山市').includes('中山市'))
})

test('a district that is gone, a development zone and a short name lead to the place of today', () => {
  assert.deepEqual(found('闸北'), ['静安区'])
  assert.deepEqual(found('苏州工业园区'), ['吴中区'])
  assert.deepEqual(found('光谷'), ['洪山区'])
  assert.ok(found('内蒙古呼市').includes('玉泉区'))
  assert.deepEqual(found('呼市玉泉'), ['玉泉区'])
})

test('letters of other places find nothing', () => {
  assert.deepEqual(found('深圳玉泉'), [])
  assert.deepEqual(found('月亮开发区'), [])
})
