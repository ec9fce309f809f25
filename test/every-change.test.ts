// Every change and every file that is taken along, with an input that was made once: it asks for its factor (S7), does not happen
// where its row in the operation log cannot be written, leaves exactly one where it can (P12), and happens once for an idempotency
// key. An operation without an entry in the `changes` of its feature's walk.ts fails the walk.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import test, { after, before } from 'node:test'
import { z } from 'zod'
import { contract } from '#app/joined.ts'
import { OBJECT_KINDS } from '#features/overview/operation-log/rules.ts'
import { COMMON_REFUSALS, listOps } from '#kit/declare/op.ts'
import { SYSTEM } from '#server/db.ts'
import { type Client, type Office, openOffice } from './app.ts'
import { changesOf, makeDesk } from './desk.ts'
import { IS_ALL, sampled } from './lane.ts'
import { makeMerchant } from './make.ts'
import { momentOf, writtenSince } from './rows.ts'
import { editOf } from './tenancy-scene.ts'
import { call, everyOperation, type Walked } from './walk.ts'
import type { Change, Desk, Prepared } from './walk-types.ts'
import { WALKS } from './walks.ts'

let office: Office
let desk: Desk
let changes: Record<string, Change>

before(async () => {
  office = await openOffice()
  desk = await makeDesk(office)
  changes = changesOf(desk)
})
after(() => office.stop())

const LOGGED = everyOperation().filter(({ changes, log, ephemeral }) => (changes && !ephemeral) || log)
const changeOf = ({ name }: Walked) => {
  const change = changes[name]
  assert.ok(change, `add ${name} to the changes of its feature's walk.ts`)
  return change
}

type LogRow = {
  agent_id: string
  account_id: string
  account_name: string
  title: string
  subject: string
  changes: { name: string; before: string | null; after: string | null }[]
  request_id: string
  ip: string
  outcome: string
  objects: string[]
  merchant_id: string | null
  about_agent_id: string | null
}
/** Their title and subject are all there is to say. */
const SAYS_ENOUGH = [
  ...['signIn.login', 'signIn.prove', 'signIn.passkey', 'signIn.logout'],
  'factors.prove',
  'compatAccess.enter',
]
/** They end what is there, if anything is, or take along all there is. */
const WITHOUT_REFUSAL = [
  'priceDesk.review',
  'signIn.logout',
  'signIn.endOtherSessions',
  'referenceData.exportConfiguration',
]
/** Names what it was about, or what was before and after. */
const tells = ({ objects, changes, merchant_id, about_agent_id }: LogRow) =>
  objects.length > 0 || changes.length > 0 || merchant_id !== null || about_agent_id !== null
/** Smallest units, instants as the database keeps them, and values as programs write them. */
const RAW_NAME = /1\/100|\(分\)/
const RAW = /^(true|false|null)$|^[[{]|\d{4}-\d\d-\d\dT\d\d:/
/** What a row is about: its history finds it. */
const OBJECT = new RegExp(`^(${Object.keys(OBJECT_KINDS).join('|')}):.`)
const isList = ({ path }: Walked) => path.endsWith('.xlsx')

const lastLogId = async () =>
  Number((await office.owner.query('select coalesce(max(id), 0) as id from operation_logs')).rows[0].id)
const logsSince = async (id: number) =>
  (await office.owner.query<LogRow>('select * from operation_logs where id > $1 order by id', [id])).rows
const transferred = async () =>
  Number((await office.owner.query('select count(*) from ledger_transfers')).rows[0].count)

/** A session that was not seen for a while is noted as seen, whatever becomes of the call. */
async function beforeCall(): Promise<string> {
  await office.owner.query('update sessions set last_seen_at = now()')
  return momentOf(office)
}

/** The account of this session has a factor that nobody has proven; `free` leaves it as it was, its password given just now. */
async function lock(cookie: string | null) {
  assert.ok(cookie, 'nobody can prove a factor without a session')
  const { accountId, agentId } = await office.as(cookie).access.current()
  const ofAccount = (statement: string, ...more: unknown[]) =>
    office.owner.query(statement, [accountId, ...more])
  const kept = await ofAccount(
    'select from factor_totps where account_id = $1 union all select from passkeys where account_id = $1',
  )
  const prove = (minutesAgo: number, byPassword = false) =>
    ofAccount(
      `insert into factor_proofs (session_id, proved_at, by_password)
       select id, now() - make_interval(mins => $2), $3 from sessions where account_id = $1
       on conflict (session_id) do update set proved_at = excluded.proved_at, by_password = excluded.by_password`,
      minutesAgo,
      byPassword,
    )
  await ofAccount(
    'delete from factor_proofs where session_id in (select id from sessions where account_id = $1)',
  )
  if (kept.rowCount === 0)
    await ofAccount(
      `insert into factor_totps (account_id, agent_id, secret, last_step, created_at) values ($1, $2, '', 0, now())`,
      agentId,
    )
  office.app.services.forgetActors()
  return {
    prove,
    async free() {
      if (kept.rowCount === 0)
        for (const table of ['factor_totps', 'passkeys'])
          await ofAccount(`delete from ${table} where account_id = $1`)
      await prove(0, kept.rowCount === 0)
      office.app.services.forgetActors()
    },
  }
}

for (const operation of LOGGED)
  test(operation.name, async t => {
    const { accepted, refused } = changeOf(operation)
    const prepared = await accepted()
    texts.set(operation.name, freeTexts(operation, prepared.input))
    const key = randomUUID()
    const ask = (input = prepared.input) => call(office.app, prepared.cookie, operation, input, { key })
    const locked = operation.stepUp ? await lock(prepared.cookie) : null
    try {
      if (locked)
        await t.test('is refused until the factor is proven, and again later', () =>
          asksForFactor(ask, locked),
        )
      await t.test('does not happen where its row cannot be written', () => hangsOnItsRow(ask))
      let bytes: Buffer | undefined
      await t.test('leaves exactly one row', async () => {
        bytes = await leavesOneRow(operation, prepared, ask)
      })
      if (operation.idempotent)
        await t.test('happens once for its key, which is for nothing else', () =>
          happensOnce(prepared, ask, bytes),
        )
    } finally {
      await locked?.free()
    }
    await t.test('leaves none where it is refused, or one that says so', async () => {
      if (refused === null)
        return assert.ok(WITHOUT_REFUSAL.includes(operation.name), 'it has no refusal of its own')
      const { cookie } = (await isOpen(prepared.cookie)) ? prepared : await accepted()
      await leavesRefusal(operation, cookie, refused)
    })
  })

const SCHEMAS = new Map(listOps(contract).map(({ name, op }) => [name, op['~orpc'].inputSchema]))

/** By operation: the fields of its input that take any text, with their shapes. */
const texts = new Map<string, Record<string, string>>()

/** Of these staff tell the agent of a shop nothing, and why. */
const DONE_LATER = 'is told once the table is emptied or back'
const UNTOLD: Record<string, string> = {
  'acquirerOnboardings.package (file)': 'changes nothing; that it was brought there is told',
  'acquirerOnboardings.handIn':
    'is only written down; that it was brought there, and what came of it, are told',
  'acquirerOnboardings.checkTest': "one fen of the vendor's own that never came back is none of the agent's",
  'acquirerOnboardings.settleTest': "one fen of the vendor's own that never came back is none of the agent's",
  'acquirerOnboardings.ask': 'asks the acquirer alone, and what it answers tells the agent',
  'acquirerOnboardings.testPay': 'tries with one fen, which goes back, what was told when it was handed over',
  'approvals.askService': 'asks a service again, whose answer is told',
  'approvals.handInAgain': 'asks a service again, whose answer is told',
  'messageDesk.remind': 'sends the shop a message, which stands in the log of messages',
  'messageDesk.settleUnknown': 'notes what a receipt would have told',
  'tableClearing.ask': DONE_LATER,
  'tableClearing.approve': DONE_LATER,
  'tableClearing.reject': DONE_LATER,
  'tableClearing.cancel': DONE_LATER,
  'tableClearing.restore': DONE_LATER,
}

/** What others do with a shop is told to its agent. */
async function tellsAgent({ name }: Walked, row: LogRow, since: number): Promise<void> {
  if (Number(row.about_agent_id) !== desk.partner.id || row.merchant_id === null) return
  const { rows } = await office.owner.query('select title from notices where account_id = $1 and id > $2', [
    desk.partner.accountId,
    since,
  ])
  if (UNTOLD[name]) assert.deepEqual(rows, [], `${name} is told: take it out of UNTOLD`)
  else assert.ok(rows.length > 0, `${name} changes a shop of an agent, which hears nothing of it`)
}

test('what is written is noted, be it to what it was, and not what was taken back', async () => {
  const before = await beforeCall()
  await office.owner.query('begin; update sessions set last_seen_at = last_seen_at; rollback')
  assert.deepEqual(await writtenSince(office, before), [])
  await office.owner.query('update sessions set last_seen_at = last_seen_at')
  assert.deepEqual(await writtenSince(office, before), ['sessions'])
  assert.deepEqual(await writtenSince(office, await beforeCall()), [])
})

type Ask = (input?: Record<string, unknown>) => ReturnType<typeof call>

async function asksForFactor(ask: Ask, { prove }: Awaited<ReturnType<typeof lock>>): Promise<void> {
  const since = await lastLogId()
  const assertRefused = async () => {
    const { status, code, message } = await ask()
    assert.deepEqual([status, code, message], [403, 'FACTOR_REQUIRED', COMMON_REFUSALS.FACTOR_REQUIRED])
  }
  await assertRefused()
  await prove(10)
  await assertRefused()
  assert.deepEqual(await logsSince(since), [])
  // What follows is asked with a proof that is nearly over.
  await prove(9)
}

async function hangsOnItsRow(ask: Ask): Promise<void> {
  const before = await beforeCall()
  await office.owner.query('revoke execute on function log_operation(jsonb) from partner_office_app')
  try {
    const { status } = await ask()
    assert.equal(status, 500)
  } finally {
    await office.owner.query('grant execute on function log_operation(jsonb) to partner_office_app')
  }
  assert.deepEqual(await writtenSince(office, before), [])
}

/** Answers what it was answered with. */
async function leavesOneRow(operation: Walked, prepared: Prepared, ask: Ask): Promise<Buffer> {
  const since = await lastLogId()
  const transfers = await transferred()
  const told = Number((await office.owner.query('select coalesce(max(id), 0) as id from notices')).rows[0].id)
  const answer = await ask()
  assert.equal(answer.status, 200, `it answered ${answer.code} ${answer.message}`)
  const rows = await logsSince(since)
  assert.equal(rows.length, 1)
  const row = rows[0] as LogRow
  const by = prepared.account ?? desk.partner
  assert.equal(row.title, operation.log)
  assert.ok(row.subject !== '' && row.subject.includes(prepared.subject), `subject is "${row.subject}"`)
  assert.deepEqual([Number(row.account_id), Number(row.agent_id)], [by.accountId, by.id])
  assert.equal(row.account_name, prepared.account?.name ?? '姓名')
  for (const { name, before, after } of row.changes) {
    assert.doesNotMatch(name, RAW_NAME)
    for (const text of [before, after]) if (text !== null) assert.doesNotMatch(text, RAW, `${name}: ${text}`)
  }
  for (const object of row.objects) assert.match(object, OBJECT)
  await tellsAgent(operation, row, told)
  assert.ok(tells(row) || SAYS_ENOUGH.includes(operation.name), 'it says neither of what nor what changed')
  if (isList(operation)) assert.ok(row.changes.some(({ name }) => name === '行数'))
  assert.match(row.request_id, /^[0-9a-f]{8}-[0-9a-f-]{27}$/)
  assert.equal(row.ip, '127.0.0.1')
  if ((await transferred()) > transfers)
    assert.ok(operation.idempotent, 'it moved money without an idempotency key')
  return answer.bytes
}

async function happensOnce({ input }: Prepared, ask: Ask, bytes: Buffer | undefined): Promise<void> {
  const before = await beforeCall()
  const again = await ask()
  assert.equal(again.status, 200, `again it answered ${again.code} ${again.message}`)
  assert.deepEqual(again.bytes, bytes)
  const codes = []
  for (const [field, value] of sampled(Object.entries(input), 2)) {
    const { code, bytes: answered } = await ask({ ...input, [field]: anotherThan(value) })
    codes.push(code)
    // What comes to the same, as one empty text to another, is answered the same.
    if (code === undefined) assert.deepEqual(answered, bytes, field)
    else
      assert.ok(
        code === 'KEY_REUSED' || code === 'INPUT_INVALID',
        `with another ${field} it answered ${code}`,
      )
  }
  assert.ok(codes.includes('KEY_REUSED'), `other inputs answered ${codes}`)
  assert.deepEqual(await writtenSince(office, before), [])
}

/** Of the same shape where that can be known. */
function anotherThan(value: unknown): unknown {
  if (typeof value === 'number') return value + 1
  if (typeof value === 'boolean') return !value
  if (typeof value === 'string') return value.replace(/[0-9a-z]?$/i, last => (last === '1' ? '2' : '1'))
  if (!Array.isArray(value)) return null
  return value.length > 1 ? value.slice(1) : value.map(anotherThan)
}

const CURRENT = everyOperation().find(({ name }) => name === 'access.current') as Walked

async function isOpen(cookie: string | null): Promise<boolean> {
  if (cookie === null) return true
  return (await call(office.app, cookie, CURRENT)).status === 200
}

async function leavesRefusal(
  operation: Walked,
  cookie: string | null,
  refused: NonNullable<Change['refused']>,
): Promise<void> {
  const input = await refused.input()
  const since = await lastLogId()
  const answer = await call(office.app, cookie, operation, input)
  assert.equal(answer.code, refused.code)
  const rows = await logsSince(since)
  assert.deepEqual(
    rows.map(row => row.outcome),
    refused.logged ? ['refused'] : [],
  )
  if (refused.logged)
    assert.deepEqual(rows[0]?.changes.at(-1), { name: '原因', before: null, after: answer.message })
}

/** Inputs of what reads one thing that no shop's id names. */
async function namedReads(): Promise<Record<string, Record<string, unknown>>> {
  const named: Record<string, Record<string, unknown>> = {}
  for (const walk of WALKS)
    for (const [name, input] of Object.entries(walk.reads?.(desk) ?? {})) named[name] = await input()
  return named
}
const IS_OF_SHOP = /\{merchantId\}|^\/merchants\/\{id\}/
const ofShop = (id: number) => ({ id, merchantId: id, search: '测试' })

test('reading leaves no row', async () => {
  const shop = ofShop(await makeMerchant(office, desk.partner.id))
  const named = await namedReads()
  const refused: Record<string, string> = Object.assign({}, ...WALKS.map(walk => walk.withoutService))
  const since = await lastLogId()
  const before = await beforeCall()
  for (const operation of everyOperation()) {
    if (operation.changes || operation.log) continue
    const input = named[operation.name] ?? shop
    const answer = await call(office.app, desk.operatorCookie, operation, input)
    const code = refused[operation.name]
    if (code) assert.equal(answer.code, code, operation.name)
    else assert.equal(answer.status, 200, `${operation.name} answered ${answer.code}`)
  }
  assert.deepEqual(await logsSince(since), [])
  assert.deepEqual(await writtenSince(office, before), [])
})

test('no text that people typed breaks a page', async () => {
  const touched = new Set<number>()
  /** Fields by name and shape: what was typed into one elsewhere is typed again in the long lane alone. */
  const typedInto = new Set<string>()
  for (const operation of LOGGED.filter(({ changes }) => changes)) {
    const { accepted, refused } = changeOf(operation)
    let unused: Prepared | null = null
    /** What was refused has used nothing up, but for a try that is kept. */
    const type = async (text: string, fields: string[]): Promise<boolean> => {
      const { cookie, input } = unused ?? (await accepted())
      const typed = Object.fromEntries(fields.map(field => [field, text]))
      const { status } = await call(office.app, cookie, operation, { ...input, ...typed })
      assert.ok(status < 500, `${operation.name} answered ${status} to ${JSON.stringify(typed)}`)
      const isAccepted = status === 200
      unused = isAccepted || refused?.logged ? null : { cookie, input, subject: '' }
      const id = Number(input.merchantId ?? input.id)
      if (isAccepted && Number.isSafeInteger(id)) touched.add(id)
      return isAccepted
    }
    const takes = texts.get(operation.name) ?? {}
    const isNew = Object.entries(takes).some(([name, shape]) => !typedInto.has(`${name} ${shape}`))
    const fields = isNew || IS_ALL ? Object.keys(takes) : []
    for (const [name, shape] of Object.entries(takes)) typedInto.add(`${name} ${shape}`)
    for (const text of fields.length > 0 ? ['2026-13-45T99:99:99Z', `<b>"'\\%_{}\u202e=1`] : [])
      if (!(await type(text, fields)) && fields.length > 1)
        for (const field of fields) await type(text, [field])
  }
  const { rows: shops } = await office.owner.query<{ id: number }>(
    'select id::float8 from merchants where id = any ($1)',
    [[...touched]],
  )
  assert.ok(shops.length > 20)
  const named = await namedReads()
  for (const operation of everyOperation().filter(({ changes }) => !changes)) {
    const ofShops = shops
      .map(({ id }) => ofShop(id))
      .slice(0, IS_OF_SHOP.test(operation.path) ? undefined : 1)
    for (const input of named[operation.name] ? [named[operation.name]] : ofShops) {
      const { status } = await call(office.app, desk.operatorCookie, operation, input)
      assert.ok(status < 500, `${operation.name} answered ${status} to ${JSON.stringify(input)}`)
    }
  }
})

/** Fields of an input that take any text, with their shapes. */
function freeTexts({ name }: Walked, input: Record<string, unknown>): Record<string, string> {
  const schema = SCHEMAS.get(name)
  if (!(schema instanceof z.ZodType)) return {}
  const { properties = {} } = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' })
  const isFree = (shape: object) => !['enum', 'const', 'format', 'pattern'].some(key => key in shape)
  return Object.fromEntries(
    Object.entries(input)
      .filter(([key, value]) => typeof value === 'string' && isFree((properties[key] ?? {}) as object))
      .map(([key]) => [key, JSON.stringify(properties[key] ?? {})]),
  )
}

test('the row tells what was before and after, and not the password', async () => {
  const id = await makeMerchant(office, desk.partner.id, { remark: '旧' })
  const since = await lastLogId()
  await desk.mine().merchants.setRemark({ id, remark: '新' })
  const shop = await desk.mine().merchants.details({ id })
  const edit = { ...editOf(shop), password: 'new-pass-9', address: '新址2号' }
  await desk.mine().merchants.edit(edit as Parameters<Client['merchants']['edit']>[0])
  const rows = (await office.owner.query('select * from operation_logs where id > $1 order by id', [since]))
    .rows
  assert.deepEqual(rows[0].changes, [{ name: '备注', before: '旧', after: '新' }])
  assert.ok(JSON.stringify(rows[1].changes).includes('新址2号'))
  assert.ok(!JSON.stringify(rows).includes('new-pass-9'))
  assert.ok(!JSON.stringify(rows).includes('argon2'))
})

test("the app's role cannot change or delete what the log holds", async () => {
  const { database } = office.app.services
  for (const statement of [
    `update operation_logs set title = 'x'`,
    'delete from operation_logs',
    'truncate operation_logs',
  ])
    await assert.rejects(
      database.write(SYSTEM, ({ client }) => client.query(statement)),
      { code: '42501' },
      statement,
    )
})
