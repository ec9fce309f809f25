// Shops of an import that was taken back are in no list, count, search or file, whoever looks: every reading operation and download is
// called, and what still names them is here with its reason. What counts as use of a shop is asked of every table that holds shops.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import test, { after, before, describe } from 'node:test'
import readXlsx from 'read-excel-file/node'
import { z } from 'zod'
import { contract } from '#app/joined.ts'
import { sampleCells } from '#features/care/shop-import/sample.ts'
import { beginImport, nextAccount, uploadLines, workThrough } from '#features/care/shop-import/walk.ts'
import { sequenceChanges } from '#features/shops/pos-changes/server.ts'
import { listOps } from '#kit/declare/op.ts'
import { makeAgent } from './make.ts'
import { type KeptScene, keepScene } from './tenancy-scene.ts'
import { CALLS, SHOP_TABLES } from './tenancy-walk.ts'
import { type Answered, call, everyOperation, type Walked } from './walk.ts'
import type { Scene } from './walk-types.ts'

const NAME = '昙花一现小馆'

/** What may name them still. */
const REMEMBERS: Readonly<Record<string, string>> = {
  'shopImport.details': 'what stood in the columns of its file',
  'shopImport.rows': 'the lines of the import itself, with what became of each',
  'shopImport.results (file)': 'the same as a file',
  'ledger.changes': 'the books: tokens went and came back, and no row of theirs is ever changed',
  'ledger.changes (file)': 'the books',
  'operationLog.list (file)': 'what people did',
  'orderDetails.find': 'what moved under a number, out of the books',
  'smsDesk.merchantChanges': 'the books of SMS credit',
  'smsDesk.merchantChanges (file)': 'the books of SMS credit',
}

/** What reads otherwise than before the import, and why. */
const MOVED: Readonly<Record<string, string>> = {
  // The scene opens every page to everybody: a partner sees one half of each transfer.
  'dashboard.office as partner': 'the ledger looked at by somebody who sees not all of it',
  'ledger.changes as partner': 'the books',
  'ledger.changes as staff': 'the books',
  'notices.list as partner': 'that the import was done, and taken back',
  'notices.unread as partner': 'that the import was done, and taken back',
  'operationLog.list as partner': 'what people did',
  'operationLog.list as staff': 'what people did',
  'shopImport.list as partner': 'the import itself',
  'shopImport.list as staff': 'the import itself',
  'smsDesk.merchantChanges as partner': 'the books of SMS credit',
}

/** Tables that hold shops and say nothing of their use. */
const NO_USE: Readonly<Record<string, string>> = {
  change_inbox: 'what programs are told of them, on its way',
  ledger_transfers: 'read by the accounts of shops',
  operation_logs: 'what people did, edits too: an edit is no use',
  partner_closing_failures: 'at the end of its partner',
  person_erasure_items: 'what is known of a person, for the operator',
  renewed_terms: 'counted of orders',
  shop_changes: 'what programs were told of them',
  shop_import_rows: 'the import itself',
  thread_messages: 'of threads',
  thread_pictures: 'of threads',
  thread_presence: 'of threads',
  webhook_deliveries: 'what programs were told of them',
}

let kept: KeptScene
let scene: Scene
let staff: string
let importId: number
let untouched: Map<string, string>
let shops: { id: number; account: string; orderNo: string }[]

before(async () => {
  kept = await keepScene()
  scene = await kept.behind({ explicitScope: true, rowSecurity: true })
  const { office, cookieA } = scene
  const partner = office.as(cookieA)
  staff = await office.login((await makeAgent(office, { operator: true })).loginName)
  untouched = await answersOf()
  const lines = Array.from({ length: 3 }, () =>
    sampleCells(nextAccount(), { shopName: NAME, shortName: '昙花小馆', sms: '1' }),
  )
  const id = await uploadLines(partner, lines)
  importId = id
  await beginImport(partner, id)
  await workThrough(office)
  const { rows } = await partner.shopImport.rows({ id })
  shops = rows.map(row => ({
    id: row.merchantId as number,
    account: row.cells.account ?? '',
    orderNo: row.orderNo ?? '',
  }))
  assert.ok((await partner.merchants.list({ search: NAME })).total === 3)
  await partner.shopImport.rollBack({ id, reason: '表格拿错了' })
  await workThrough(office)
  await sequenceChanges(office.app.services)
  assert.equal((await partner.shopImport.details({ id })).takenBack, 3)
})
after(async () => {
  await scene.office.stop()
  await kept.drop()
})

const isArchive = (bytes: Buffer) => bytes.subarray(0, 2).toString('latin1') === 'PK'

async function textOf({ status, body, bytes, headers }: Answered, { isDownload }: Walked): Promise<string> {
  if (status !== 200) return ''
  if (!isDownload) return JSON.stringify(body) ?? ''
  if (!String(headers['content-type']).includes('spreadsheetml')) return bytes.toString('latin1')
  // The walks' own export holds no table.
  return isArchive(bytes) ? JSON.stringify(await readXlsx(bytes)) : bytes.toString('latin1')
}

const traceIn = (text: string) =>
  [NAME, '昙花小馆', ...shops.flatMap(({ id, account, orderNo }) => [`${id}`, account, orderNo])].find(
    mark => (/^\d+$/.test(mark) ? new RegExp(`(?<!\\d)${mark}(?!\\d)`).test(text) : text.includes(mark)),
  )

/** As it is opened, as its walk asks, and searched for what is gone. */
function inputsOf({ name, path }: Walked): Record<string, unknown>[] {
  const asked = (CALLS[name] ?? []).map(({ as }) => as(scene))
  const [shop] = shops
  const takes = (parameter: string) => parametersOf(name)?.has(parameter) ?? true
  const looked = /\{(\w+)\}/.test(path)
    ? [
        {
          id: name.startsWith('shopImport.') ? importId : shop?.id,
          merchantId: shop?.id,
          orderNo: shop?.orderNo,
        },
      ]
    : [
        // What is asked for what it does not take answers as without: the whole list holds its first page too.
        takes('size') ? { size: 100 } : {},
        ...(takes('search') ? [NAME, shop?.account, shop?.orderNo].map(search => ({ search })) : []),
      ]
  const known = new Map([...looked, ...asked.slice(0, 2)].map(input => [JSON.stringify(input), input]))
  return [...known.values()]
}

/** What an operation takes; undefined of a download. */
function parametersOf(name: string): Set<string> | undefined {
  const listed = LISTED.find(one => one.name === name)
  if (!listed) return undefined
  const schema = listed.op['~orpc'].inputSchema
  if (!(schema instanceof z.ZodType)) return new Set()
  return new Set(
    Object.keys(z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }).properties ?? {}),
  )
}
const LISTED = listOps(contract)

/** What a PDF says is drawn and packed: the same rows are read as a workbook. */
const reading = everyOperation().filter(({ changes, path }) => !changes && !path.endsWith('.pdf'))

/** What the partner and the staff read without asking for anything in particular, as text. */
async function answersOf(): Promise<Map<string, string>> {
  const plain = reading.filter(({ path, isDownload }) => !path.includes('{') && !isDownload)
  const answers = new Map<string, string>()
  for (const [who, cookie] of Object.entries({ partner: scene.cookieA, staff }))
    for (const operation of plain)
      answers.set(
        `${operation.name} as ${who}`,
        // When a statement was made is no part of what it says, nor when whoever asks was seen last.
        (await textOf(await call(scene.office.app, cookie, operation), operation))
          .replace(/"createdAt":"[^"]*"/, '')
          .replaceAll(/"lastSeenAt":"[^"]*"/g, ''),
      )
  return answers
}

describe('shops that were taken back', () => {
  test('leave every answer as it was before they came', async () => {
    const now = await answersOf()
    const moved = [...untouched].flatMap(([name, answer]) => (now.get(name) === answer ? [] : name))
    assert.deepEqual(
      moved.filter(name => MOVED[name] === undefined),
      [],
    )
  })

  for (const operation of reading)
    test(`are not in ${operation.name}`, async () => {
      const { office, cookieA } = scene
      const found = new Set<string>()
      for (const cookie of [cookieA, staff])
        for (const input of inputsOf(operation)) {
          const answer = await call(office.app, cookie, operation, input)
          assert.notEqual(answer.status, 500)
          const trace = traceIn(await textOf(answer, operation))
          if (trace !== undefined) found.add(`${trace} in ${JSON.stringify(input)}`)
        }
      if (REMEMBERS[operation.name] === undefined) assert.deepEqual([...found], [])
      else assert.notEqual(found.size, 0, 'the walk sees what is there, or it need not be remembered')
    })

  test('are named where something remembers them', async () => {
    const names = new Set(reading.map(({ name }) => name))
    assert.deepEqual(
      Object.keys(REMEMBERS).filter(name => !names.has(name)),
      [],
    )
  })
})

describe('the use of a shop', () => {
  test('is looked for in every table that holds shops', async () => {
    const source = readFileSync('migrations/again/shop-uses.sql', 'utf8')
    const { rows } = await scene.office.owner.query<{ name: string; base: boolean }>(
      `select name, exists (select from pg_class c where c.relname = name and c.relkind in ('r', 'p')) as base from (${SHOP_TABLES}) as t`,
    )
    const held = rows.filter(({ base }) => base).map(({ name }) => name)
    assert.ok(held.length > 30)
    assert.deepEqual(
      held.filter(name => !(name in NO_USE) && !new RegExp(`\\b${name}\\b`).test(source)),
      [],
      'name it in migrations/again/shop-uses.sql, or here with why it is no use',
    )
    assert.deepEqual(
      Object.keys(NO_USE).filter(name => !held.includes(name)),
      [],
    )
  })
})
