// P12: every change is in the operation log, in the same transaction. Walks everything that declares a log title;
// an operation without an entry in CHANGES fails the walk.
import assert from 'node:assert/strict'
import test, { after, before, describe } from 'node:test'
import { z } from 'zod'
import { contract } from '#app/joined.ts'
import { OBJECT_KINDS } from '#features/operation-log/rules.ts'
import { listOps } from '#kit/op.ts'
import { type Office, openOffice } from './app.ts'
import { type MadeAgent, makeAgent, makeMerchant, newMerchantForm } from './make.ts'
import { editOf } from './tenancy-scene.ts'
import { type Answered, call, everyOperation, type Walked } from './walk.ts'
import type { Change, Desk, Prepared } from './walk-types.ts'
import { WALKS } from './walks.ts'

let office: Office
let partner: MadeAgent
let operator: MadeAgent
let partnerCookie: string
let operatorCookie: string

before(async () => {
  office = await openOffice()
  partner = await makeAgent(office, { tokens: 100_000, sms: 1_000 })
  operator = await makeAgent(office, { operator: true })
  partnerCookie = await office.login(partner.loginName)
  operatorCookie = await office.login(operator.loginName)
})
after(() => office.stop())

const mine = () => office.as(partnerCookie)
const asPartner = (input: Record<string, unknown>, subject: string): Prepared => ({
  cookie: partnerCookie,
  input,
  subject,
})
async function onShop(more: Record<string, unknown> = {}, columns: Record<string, unknown> = {}) {
  const id = await makeMerchant(office, partner.id, columns)
  return asPartner({ id, ...more }, `测试店铺 (${id})`)
}
const UNKNOWN = 99_999_999
const desk: Desk = {
  get office() {
    return office
  },
  get partner() {
    return partner
  },
  get operator() {
    return operator
  },
  get partnerCookie() {
    return partnerCookie
  },
  get operatorCookie() {
    return operatorCookie
  },
  mine,
  asPartner,
  asOperator: (input, subject) => ({ cookie: operatorCookie, input, subject, account: operator }),
  onShop,
}

const CHANGES: Record<string, Change> = {
  'ledger.credit': {
    accepted: async () => ({
      cookie: operatorCookie,
      input: { agentId: partner.id, asset: 'token', amount: 500, reason: '预付' },
      subject: `代理商${partner.id} (${partner.id})`,
      account: operator,
    }),
    refused: {
      input: () => ({ agentId: UNKNOWN, asset: 'token', amount: 500, reason: '预付' }),
      code: 'AGENT_UNKNOWN',
    },
  },
  'selling.quote': {
    accepted: async () => asPartner(newMerchantForm(), ''),
    refused: { input: () => newMerchantForm({ shortName: '' }), code: 'SHORT_NAME_REQUIRED' },
  },
  'selling.add': {
    accepted: async () => {
      const quote = await mine().selling.quote(newMerchantForm({ smsCount: 3 }))
      return asPartner({ orderNo: quote.orderNo }, '深圳老张面馆')
    },
    refused: { input: () => ({ orderNo: '1'.repeat(22) }), code: 'QUOTE_UNKNOWN' },
  },
  'merchants.edit': {
    accepted: async () => {
      const id = await makeMerchant(office, partner.id)
      const shop = await mine().merchants.details({ id })
      return asPartner({ ...editOf(shop), address: '新址1号' }, `测试店铺 (${id})`)
    },
    refused: {
      input: async () => {
        const shop = await mine().merchants.details({ id: await makeMerchant(office, partner.id) })
        return { ...editOf(shop), revision: 7 }
      },
      code: 'STALE',
    },
  },
  'merchants.setSignature': {
    accepted: async () => {
      const { input, subject } = await onShop({ signature: '签名' })
      return desk.asOperator(input, subject)
    },
    refused: { input: async () => (await onShop({ signature: '' })).input, code: 'SIGNATURE_REQUIRED' },
  },
  'merchants.setRemark': {
    accepted: () => onShop({ remark: '备注' }),
    refused: {
      input: async () => (await onShop({ remark: '长'.repeat(51) })).input,
      code: 'REMARK_TOO_LONG',
    },
  },
  'merchants.enable': {
    accepted: () => onShop({}, { status: 'disabled' }),
    refused: { input: async () => (await onShop()).input, code: 'STATUS_UNCHANGED' },
  },
  'merchants.disable': {
    accepted: () => onShop(),
    refused: {
      input: async () => (await onShop({}, { status: 'disabled' })).input,
      code: 'STATUS_UNCHANGED',
    },
  },
  'merchants.source (file)': {
    accepted: async () => desk.asOperator({ source: 'import' }, '商户来源'),
    refused: { input: () => ({ source: 'nonsense' }), code: 'INPUT_INVALID' },
  },
  'merchants.overdue (file)': {
    accepted: async () => asPartner({}, '过期商户'),
    refused: { input: () => ({ status: 'nonsense' }), code: 'INPUT_INVALID' },
  },
  'agentDesk.secondary (file)': {
    accepted: async () => asPartner({}, '下级商户'),
    refused: { input: () => ({ status: 'nonsense' }), code: 'INPUT_INVALID' },
  },
  'merchants.list (file)': {
    accepted: async () => asPartner({ status: 'normal' }, '商户'),
    refused: { input: () => ({ status: 'nonsense' }), code: 'INPUT_INVALID' },
  },
  'ledger.changes (file)': {
    accepted: async () => asPartner({}, '余额变动'),
    refused: { input: () => ({ from: 'yesterday' }), code: 'INPUT_INVALID' },
  },
  ...Object.assign({}, ...WALKS.map(walk => walk.changes(desk))),
}

const LOGGED = everyOperation().filter(({ changes, log, ephemeral }) => (changes && !ephemeral) || log)
const changeOf = (operation: Walked) => {
  const change = CHANGES[operation.name]
  assert.ok(change, `add ${operation.name} to CHANGES of this file`)
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
const SAYS_ENOUGH = [...['signIn.login', 'signIn.prove', 'signIn.passkey', 'signIn.logout'], 'factors.prove']
/** Names what it was about, or what was before and after. */
const tells = ({ objects, changes, merchant_id, about_agent_id }: LogRow) =>
  objects.length > 0 || changes.length > 0 || merchant_id !== null || about_agent_id !== null
const lastLogId = async () =>
  Number((await office.owner.query('select coalesce(max(id), 0) as id from operation_logs')).rows[0].id)
const logsSince = async (id: number) =>
  (await office.owner.query<LogRow>('select * from operation_logs where id > $1 order by id', [id])).rows
const count = async (table: string) =>
  Number((await office.owner.query(`select count(*) from ${table}`)).rows[0].count)

async function perform(operation: Walked, { cookie, input }: Prepared): Promise<Answered> {
  return call(office.app, cookie, operation, input)
}

/** Smallest units, instants as the database keeps them, and values as programs write them. */
const RAW_NAME = /1\/100|\(分\)/
const RAW = /^(true|false|null)$|^[[{]|\d{4}-\d\d-\d\dT\d\d:/
/** What a row is about: its history finds it. */
const OBJECT = new RegExp(`^(${Object.keys(OBJECT_KINDS).join('|')}):.`)
const isList = ({ path }: Walked) => path.endsWith('.xlsx')

describe('an accepted change leaves exactly one row', () => {
  for (const operation of LOGGED)
    test(operation.name, async () => {
      const prepared = await changeOf(operation).accepted()
      const since = await lastLogId()
      const transfers = await count('ledger_transfers')
      const answer = await perform(operation, prepared)
      assert.equal(answer.status, 200, `${operation.name} answered ${answer.code} ${answer.message}`)
      const rows = await logsSince(since)
      assert.equal(rows.length, 1)
      const row = rows[0] as LogRow
      const by = prepared.account ?? partner
      assert.equal(row.title, operation.log)
      assert.ok(row.subject !== '' && row.subject.includes(prepared.subject), `subject is "${row.subject}"`)
      assert.deepEqual([Number(row.account_id), Number(row.agent_id)], [by.accountId, by.id])
      assert.equal(row.account_name, prepared.account?.name ?? '姓名')
      for (const { name, before, after } of row.changes) {
        assert.doesNotMatch(name, RAW_NAME)
        for (const text of [before, after])
          if (text !== null) assert.doesNotMatch(text, RAW, `${name}: ${text}`)
      }
      for (const object of row.objects) assert.match(object, OBJECT)
      assert.ok(
        tells(row) || SAYS_ENOUGH.includes(operation.name),
        'it says neither of what nor what changed',
      )
      if (isList(operation)) assert.ok(row.changes.some(({ name }) => name === '行数'))
      assert.match(row.request_id, /^[0-9a-f]{8}-[0-9a-f-]{27}$/)
      assert.equal(row.ip, '127.0.0.1')
      if ((await count('ledger_transfers')) > transfers)
        assert.ok(operation.idempotent, `${operation.name} moved money without an idempotency key`)
    })
})

/** They end what is there, if anything is, or take along all there is. */
const WITHOUT_REFUSAL = ['signIn.logout', 'signIn.endOtherSessions', 'referenceData.exportConfiguration']

describe('a refused change leaves none, or one that says so', () => {
  for (const operation of LOGGED)
    test(operation.name, async () => {
      const { refused, accepted } = changeOf(operation)
      if (refused === null)
        return assert.ok(WITHOUT_REFUSAL.includes(operation.name), 'it has no refusal of its own')
      const { cookie } = await accepted()
      const input = await refused.input()
      const since = await lastLogId()
      const answer = await perform(operation, { cookie, input, subject: '' })
      assert.equal(answer.code, refused.code)
      const rows = await logsSince(since)
      assert.deepEqual(
        rows.map(row => row.outcome),
        refused.logged ? ['refused'] : [],
      )
      if (refused.logged)
        assert.deepEqual(rows[0]?.changes.at(-1), { name: '原因', before: null, after: answer.message })
    })
})

let looked: Promise<string> | undefined

/** One statement over all tables, the same from the first look on: it is planned once. */
async function lookAtTables(): Promise<string> {
  const { rows } = await office.owner.query<{ name: string }>(
    `select table_name as name from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE' order by 1`,
  )
  assert.ok(rows.length > 100)
  const sums = rows.map(
    ({ name }) =>
      `select '${name}' as name, count(*) as rows, sum(hashtextextended(t.ctid::text, t.xmin::text::bigint)) as sum from ${name} t`,
  )
  return `${sums.join(' union all ')} order by name`
}

/**
 * All rows of all tables, as a sum for each table of where each stands and which transaction wrote it: one that changes, be it to
 * what it was, comes or goes changes it.
 */
async function everything(): Promise<{ name: string; rows: string; sum: string | null }[]> {
  looked ??= lookAtTables()
  return (await office.owner.query({ name: 'everything', text: await looked })).rows
}

describe('a change whose row cannot be written does not happen', () => {
  for (const operation of LOGGED)
    test(operation.name, async () => {
      const prepared = await changeOf(operation).accepted()
      // A session that was not seen for a while is noted as seen, whatever becomes of the call.
      await office.owner.query('update sessions set last_seen_at = now()')
      const before = await everything()
      await office.owner.query('revoke execute on function log_operation(jsonb) from partner_office_app')
      try {
        const answer = await perform(operation, prepared)
        assert.equal(answer.status, 500, `${operation.name} answered ${answer.status}`)
      } finally {
        await office.owner.query('grant execute on function log_operation(jsonb) to partner_office_app')
      }
      assert.deepEqual(await everything(), before)
      assert.equal((await perform(operation, prepared)).status, 200)
    })
})

/** Inputs of what reads one thing that no shop's id names. */
async function namedReads(): Promise<Record<string, Record<string, unknown>>> {
  const named: Record<string, Record<string, unknown>> = {}
  for (const walk of WALKS)
    for (const [name, input] of Object.entries(walk.reads?.(desk) ?? {})) named[name] = await input()
  return named
}
const ofShop = (id: number) => ({ id, merchantId: id, search: '测试' })

test('reading leaves no row', async () => {
  const shop = ofShop(await makeMerchant(office, partner.id))
  const named = await namedReads()
  const refused: Record<string, string> = Object.assign({}, ...WALKS.map(walk => walk.withoutService))
  const since = await lastLogId()
  await office.owner.query('update sessions set last_seen_at = now()')
  const before = await everything()
  for (const operation of everyOperation()) {
    if (operation.changes || operation.log) continue
    const input = named[operation.name] ?? shop
    const answer = await call(office.app, operatorCookie, operation, input)
    const code = refused[operation.name]
    if (code) assert.equal(answer.code, code, operation.name)
    else assert.equal(answer.status, 200, `${operation.name} answered ${answer.code}`)
  }
  assert.deepEqual(await logsSince(since), [])
  assert.deepEqual(await everything(), before)
})

test('no text that people typed breaks a page', async () => {
  const shops = new Set<number>()
  const type = async (operation: Walked, text: string, fields: string[]): Promise<boolean> => {
    const { cookie, input } = await changeOf(operation).accepted()
    const typed = Object.fromEntries(fields.map(field => [field, text]))
    const { status } = await call(office.app, cookie, operation, { ...input, ...typed })
    assert.ok(status < 500, `${operation.name} answered ${status} to ${JSON.stringify(typed)}`)
    const shop = Number(input.merchantId ?? input.id)
    if (status === 200 && Number.isSafeInteger(shop)) shops.add(shop)
    return status === 200
  }
  for (const operation of everyOperation().filter(({ name, changes }) => changes && name in CHANGES)) {
    const fields = freeTexts(operation, (await changeOf(operation).accepted()).input)
    for (const text of fields.length > 0 ? ['2026-13-45T99:99:99Z', `<b>"'\\%_{}\u202e=1`] : [])
      if (!(await type(operation, text, fields)) && fields.length > 1)
        for (const field of fields) await type(operation, text, [field])
  }
  const named = await namedReads()
  for (const operation of everyOperation().filter(({ changes }) => !changes)) {
    const ofShops = [...shops].map(ofShop).slice(0, operation.path.includes('{') ? undefined : 1)
    for (const input of named[operation.name] ? [named[operation.name]] : ofShops) {
      const { status } = await call(office.app, operatorCookie, operation, input)
      assert.ok(status < 500, `${operation.name} answered ${status} to ${JSON.stringify(input)}`)
    }
  }
})

/** Fields of an input that take any text. */
function freeTexts({ name }: Walked, input: Record<string, unknown>): string[] {
  const schema = listOps(contract).find(listed => listed.name === name)?.op['~orpc'].inputSchema
  if (!(schema instanceof z.ZodType)) return []
  const { properties = {} } = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' })
  const isFree = (shape: object) => !['enum', 'const', 'format', 'pattern'].some(key => key in shape)
  return Object.entries(input)
    .filter(([key, value]) => typeof value === 'string' && isFree((properties[key] ?? {}) as object))
    .map(([key]) => key)
}

test('the row tells what was before and after, and not the password', async () => {
  const id = await makeMerchant(office, partner.id, { remark: '旧' })
  const since = await lastLogId()
  await mine().merchants.setRemark({ id, remark: '新' })
  const shop = await mine().merchants.details({ id })
  const edit = { ...editOf(shop), password: 'new-pass-9', address: '新址2号' }
  await mine().merchants.edit(edit as Parameters<ReturnType<typeof mine>['merchants']['edit']>[0])
  const rows = (await office.owner.query('select * from operation_logs where id > $1 order by id', [since]))
    .rows
  assert.deepEqual(rows[0].changes, [{ name: '备注', before: '旧', after: '新' }])
  assert.ok(JSON.stringify(rows[1].changes).includes('新址2号'))
  assert.ok(!JSON.stringify(rows).includes('new-pass-9'))
  assert.ok(!JSON.stringify(rows).includes('argon2'))
})

test("the app's role cannot change or delete what the log holds", async () => {
  const app = await office.app.services.database.pool.connect()
  try {
    for (const statement of [
      `update operation_logs set title = 'x'`,
      'delete from operation_logs',
      'truncate operation_logs',
    ])
      await assert.rejects(app.query(statement), { code: '42501' }, statement)
  } finally {
    app.release()
  }
})
