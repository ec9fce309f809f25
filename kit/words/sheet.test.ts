import assert from 'node:assert/strict'
import test from 'node:test'
import { headKey, isHead } from './heads.ts'
import { NO_RESULT, type SheetTold, sheetNotes, spoiltCell } from './sheet.ts'

test('a cell that is no value any more is named, whatever left it there', () => {
  for (const text of [
    '#N/A',
    '#ref!',
    '#DIV/0!',
    '########',
    '6.90123E+12',
    '1.2345678901234568E+16',
    '-1E-7',
    NO_RESULT,
    '=DISPIMG("ID_1",1)',
    '碧螺\uFFFD',
  ])
    assert.notEqual(spoiltCell(text), null, text)
})

test('a cell that only looks like one is left alone', () => {
  for (const text of ['', '#1 号店', '1E', 'E10', '12E+5A', '##', '#茶', '110101199003074258', 'N/A'])
    assert.equal(spoiltCell(text), null, text)
})

test('what a cell was is said', () => {
  assert.match(spoiltCell(' #N/A ') ?? '', /公式错误（#N\/A）/)
})

const NOTHING: SheetTold = {
  sheet: null,
  alike: [],
  hiddenSheets: [],
  hiddenLines: [],
  hiddenLineCount: 0,
  hiddenColumns: [],
  filled: [],
  spread: [],
  openQuote: null,
}

test('of a table that is as it seems nothing is said', () => assert.deepEqual(sheetNotes(NOTHING), []))

test('what is said names the first of many', () => {
  const lines = Array.from({ length: 20 }, (_, at) => at + 2)
  const [note] = sheetNotes({ ...NOTHING, hiddenLines: lines, hiddenLineCount: 700 })
  assert.match(note ?? '', /700 行没有读取（第 2、3、4、5、6、7、8、9、10、11 等 行）/)
})

test('heads of Taiwan and Hong Kong are the same as those of the mainland', () => {
  assert.equal(headKey('店鋪名稱（必填）'), '店铺名称')
  assert.equal(headKey('帳號'), '账号')
  assert.ok(isHead(new Set([headKey('条形码')]), '條形碼'))
})
