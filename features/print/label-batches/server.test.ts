// Labels by the batch, through the real router: what a table holds, labels on sheets, and who may ask.
import assert from 'node:assert/strict'
import test, { after, before } from 'node:test'
import { SYSTEM_LABELS } from '#features/print/labels/reference.ts'
import { SHEET_SETUP } from '#kit/print/batch/sheet.ts'
import { SAMPLES } from '#kit/print/samples.ts'
import { row, workbook } from '#server/sheets/corpus.ts'
import { type Client, type Office, openOffice, refusalOf } from '#test/app.ts'
import { makeAgent } from '#test/make.ts'
import { FILE_LIMITS, SHEETS_MOST } from './rules.ts'

let office: Office
let staff: Client
let partner: Client
before(async () => {
  office = await openOffice()
  const [operator, agent] = [await makeAgent(office, { operator: true }), await makeAgent(office)]
  staff = office.as(await office.login(operator.loginName))
  partner = office.as(await office.login(agent.loginName))
})
after(() => office.stop())

const base64 = (text: string) => Buffer.from(text).toString('base64')
const content = SYSTEM_LABELS[0]?.label as never
const rows = (copies: number) => [{ data: SAMPLES.typical as Record<string, string>, copies }]

test('the lines of a table are read; what is none, empty, too large or too long is refused in words', async () => {
  const { lines } = await staff.labelBatches.readFile({ bytes: base64('商品名称,份数\n茉莉花茶,3\n') })
  assert.deepEqual(
    lines.map(({ cells }) => cells),
    [
      ['商品名称', '份数'],
      ['茉莉花茶', '3'],
    ],
  )
  const notes = { name: '说明', rows: row(1, ['请先阅读']) }
  const book = await workbook([
    notes,
    { name: '商品', rows: row(1, ['商品名称', '份数']) + row(2, ['茶', 2]) },
  ])
  const told = await staff.labelBatches.readFile({
    bytes: book.toString('base64'),
    heads: ['商品名称', '份数'],
  })
  assert.deepEqual(told, {
    lines: [
      { line: 1, cells: ['商品名称', '份数'] },
      { line: 2, cells: ['茶', '2'] },
    ],
    notes: ['读取的是工作表「商品」'],
  })
  const long = '茶\n'.repeat(FILE_LIMITS.rows + 100)
  for (const [bytes, code] of [
    ['', 'FILE_EMPTY'],
    [Buffer.alloc(FILE_LIMITS.fileBytes + 1, 'a').toString('base64'), 'FILE_TOO_LARGE'],
    [base64(long), 'FILE_ROWS'],
  ] as const)
    assert.equal(await refusalOf(staff.labelBatches.readFile({ bytes })), code)
})

test('labels are laid on sheets; none fits, or too many sheets, is refused', async () => {
  const sheets = (copies: number, more: object = {}) =>
    staff.labelBatches.sheets({ content, rows: rows(copies), setup: { ...SHEET_SETUP, ...more } })
  assert.ok(
    Buffer.from((await sheets(2)).base64, 'base64')
      .toString('latin1')
      .startsWith('%PDF-'),
  )
  assert.equal(await refusalOf(sheets(1, { marginX: 100_000 })), 'INPUT_INVALID')
  const many = Array.from({ length: SHEETS_MOST }, () => rows(999)[0] as never)
  const asked = staff.labelBatches.sheets({ content, rows: many, setup: SHEET_SETUP })
  assert.equal(await refusalOf(asked), 'SHEETS_TOO_MANY')
})

test('templates are found by their name, and nothing of it is for partners', async () => {
  for (const name of ['批量价签', '别的标签']) await staff.labels.save({ name, content })
  const { rows: found, more } = await staff.labelBatches.templates({ search: '价签' })
  assert.deepEqual([found.map(({ name }) => name), more], [['批量价签'], false])
  for (const asked of [
    () => partner.labelBatches.templates({}),
    () => partner.labelBatches.readFile({ bytes: base64('a') }),
    () => partner.labelBatches.sheets({ content, rows: rows(1), setup: SHEET_SETUP }),
  ])
    assert.equal(await refusalOf(asked()), 'FORBIDDEN')
})
