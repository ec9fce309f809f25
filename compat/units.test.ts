import assert from 'node:assert/strict'
import test from 'node:test'
import type { Call } from './call.ts'
import { answered, applies, taken } from './translate.ts'
import * as units from './units.ts'

test('what is read is what the operations take; what cannot be read goes on as it came', () => {
  const ROWS: [units.Unit, unknown, unknown][] = [
    [units.whole, '12', 12],
    [units.whole, 'twelve', 'twelve'],
    [units.wholeOrAll, '-1', undefined],
    [units.wholeOrAll, '1', 1],
    [units.wholeOrNull, '0', null],
    [units.pageSize, '5', 10],
    [units.pageSize, 100, 100],
    [units.pageSize, 101, 101],
    [units.flag, '1', true],
    [units.flag, false, false],
    [units.flag, 'perhaps', 'perhaps'],
    [units.amount, '298', 29_800],
    [units.amount, '0.5', 50],
    [units.amount, '-12.30', -1_230],
    [units.amount, '1.005', '1.005'],
    [units.instant, '2026-11-30 08:00:00', '2026-11-30T00:00:00.000Z'],
    [units.instant, '2026-11-30', '2026-11-29T16:00:00.000Z'],
    [units.instant, 'soon', 'soon'],
    [units.instantOrNull, '', null],
    [units.day, '2026-11-30 23:59:59', '2026-11-30'],
    [units.day, '', undefined],
    [units.states({ normal: 0, disabled: -1 }, [-2]), '-1', 'disabled'],
    [units.states({ normal: 0, disabled: -1 }, [-2]), '-2', undefined],
    [units.states({ normal: 0, disabled: -1 }), '7', '7'],
    [units.picture, 'https://files.example.com/api/files/abc', 'abc'],
    [units.picture, '', null],
    [units.several(units.whole), '1,2，3', [1, 2, 3]],
    [units.several(units.whole), [4, '5'], [4, 5]],
  ]
  for (const [unit, sent, read] of ROWS) assert.deepEqual(unit.read(sent), read, `${unit.words}: ${sent}`)
})

test('what is written is as the documents have it', () => {
  assert.equal(JSON.stringify({ price: units.amount.write(29_850) }), '{"price":298.50}')
  assert.equal(units.instant.write('2026-11-30T00:00:00.000Z'), '2026-11-30 08:00:00')
  assert.equal(units.factor.write(8_500), 0.85)
  assert.equal(units.states({ normal: 0 }).write('normal'), 0)
  assert.equal(units.picture.write('abc'), '/api/files/abc')
  assert.equal(units.division(4).write('440305'), '4403')
})

test('parameters stand by any of their names, within JSON and queries too, or stay as they were', () => {
  const takes = {
    page: { from: ['page', 'pageIndex'], as: units.whole },
    pieces: { from: ['data.sms_mealnum'], as: units.whole },
    uid: { from: ['UrlParm.uid'], as: units.whole },
    name: { from: ['sv_us_name'], as: units.text, or: { had: 'shop.shopName' } },
    revision: { had: 'shop.revision' },
    rows: { each: ['list'], of: { id: { from: ['id'], as: units.whole } } },
  } as const
  const sent = {
    pageIndex: '2',
    data: '{"sms_mealnum":"50"}',
    UrlParm: 'uid=7&x=1',
    list: '[{"id":"1"},{"id":2}]',
  }
  assert.deepEqual(taken(takes, sent, { shop: { shopName: '老张', revision: 3 } }), {
    page: 2,
    pieces: 50,
    uid: 7,
    name: '老张',
    revision: 3,
    rows: [{ id: 1 }, { id: 2 }],
  })
})

test('names of what every object has are nobody’s parameters', () => {
  const takes = { id: { from: ['__proto__.id', 'constructor', 'toString.name'], as: units.text } }
  assert.deepEqual(taken(takes, JSON.parse('{"__proto__":"x"}'), {}), {})
})

test('steps are chosen by what was sent', () => {
  const isGift = { sent: 'type', is: ['0', ''] }
  assert.equal(applies(isGift, { type: 0 }), true)
  assert.equal(applies(isGift, {}), true)
  assert.equal(applies(isGift, { type: 1 }), false)
  assert.equal(applies({ given: 'id' }, { id: '' }), false)
  assert.equal(applies({ missing: 'id' }, { id: 3 }), false)
  assert.equal(applies({ both: [isGift, { given: 'id' }] }, { type: '0', id: 3 }), true)
})

test('answers are put together by path, with JSON within where the documents have it', () => {
  const tells: Extract<Call['does'], { tells: unknown }>['tells'] = {
    all: {
      total: { told: 'total' },
      dataList: { each: 'rows', of: { all: { user_id: { told: 'id' } } } },
      config: { json: { told: 'config' } },
      link: { opens: '/UserInfo/File' },
      gone: { told: 'nothing.here' },
    },
  }
  const by = { sent: {}, opens: (path: string) => `${path}?key=k` }
  assert.deepEqual(answered(tells, { total: 1, rows: [{ id: 5 }], config: { a: 1 } }, by), {
    total: 1,
    dataList: [{ user_id: 5 }],
    config: '{"a":1}',
    link: '/UserInfo/File?key=k',
    gone: null,
  })
})
