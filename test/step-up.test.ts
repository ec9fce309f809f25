// S7: a stolen cookie is not enough. Walks every operation that asks for a fresh second factor, with input that is accepted
// otherwise; with the wall taken away the same walk finds that each goes through.
import assert from 'node:assert/strict'
import test, { after, before, describe } from 'node:test'
import { STEP_UP_ROWS } from '#kit/list.ts'
import { COMMON_REFUSALS } from '#kit/op.ts'
import { type Office, openOffice } from './app.ts'
import { type MadeAgent, makeAgent, makeMerchant, makeMerchants } from './make.ts'
import { call, everyOperation, soon, type Walked } from './walk.ts'
import type { Change, Desk, Prepared } from './walk-types.ts'
import { WALKS } from './walks.ts'

const STEP_UP = everyOperation().filter(({ stepUp }) => stepUp)

/** What the product's owner wants guarded, by the operations that do it. */
const SUBJECTS: Record<string, RegExp> = {
  crediting: /^ledger\.credit$/,
  partners: /^partners\.(takeOn|edit|changeParent|suspend|resume|invite|revokeInvitation)$/,
  'the end of a partner': /^partnerClosing\.(start|pause|resume|retry)$/,
  'an applicant becomes a partner': /^partnerApplications\.accept$/,
  allocation: /^settlement\.allocate$/,
  'approval of an undo': /^settlement\.(approveUndo|rejectUndo|setUndoSettings)$|^aftersales\.cancel$/,
  refunds: /^paymentDesk\.(refund|retryRefund)$|^hardware\.returnOrder$|^shopPages\.refund$/,
  'what shops pay for a renewal': /^shopPages\.setOffer$/,
  'prices and discounts': /^priceDesk\.(set|withdraw|save|add|end)/,
  'payment settings': /^paymentDesk\.set\w+$|^paymentSettings\./,
  'roles and staff': /^team\./,
  'keys of an interface': /^apiKeys\./,
  'where changes of shops are sent': /^webhooks\.(add|edit|setEnabled|rotate|endPrevious|remove)$/,
  'the number that codes come to': /^agentProfile\.changePhone$/,
  'the factors themselves': /^factors\.(start|add|remove|renew|set)/,
  'where one is signed in': /^signIn\.end/,
  'limits of the office': /^referenceData\.(setSetting|exportConfiguration|importConfiguration)$/,
  'what is sold and by whom': /^catalogue\.(save|retire|resume)/,
  'shops by a file': /^shopImport\.(start|resume|rollBack)$/,
  'long files': /^exports\.start$/,
}

test('every change of what must be guarded carries the flag', () => {
  const all = everyOperation().filter(operation => operation.changes)
  for (const [subject, names] of Object.entries(SUBJECTS)) {
    const of = all.filter(({ name }) => names.test(name))
    assert.ok(of.length > 0, `${subject}: no operation`)
    for (const { name, stepUp } of of) assert.ok(stepUp, `${name} (${subject}) asks for no fresh factor`)
  }
})

let office: Office
let partner: MadeAgent
let operator: MadeAgent
let partnerCookie: string
let operatorCookie: string
let changes: Record<string, Change>

before(async () => {
  office = await openOffice()
  partner = await makeAgent(office, { tokens: 100_000, sms: 1_000 })
  operator = await makeAgent(office, { operator: true })
  partnerCookie = await office.login(partner.loginName)
  operatorCookie = await office.login(operator.loginName)
  const asPartner = (input: Record<string, unknown>, subject: string): Prepared => ({
    cookie: partnerCookie,
    input,
    subject,
  })
  const desk: Desk = {
    ...{ office, partner, operator, partnerCookie, operatorCookie, asPartner },
    mine: () => office.as(partnerCookie),
    asOperator: (input, subject) => ({ cookie: operatorCookie, input, subject, account: operator }),
    async onShop(more = {}, columns = {}) {
      const id = await makeMerchant(office, partner.id, columns)
      return asPartner({ id, ...more }, '')
    },
  }
  const input = { agentId: partner.id, asset: 'token', amount: 500, reason: '预付' }
  changes = {
    'ledger.credit': { accepted: async () => desk.asOperator(input, ''), refused: null },
    ...Object.assign({}, ...WALKS.map(walk => walk.changes(desk))),
  }
})
after(() => office.stop())

const hasFactor = async (cookie: string) => (await office.as(cookie).access.current()).factor.has

/** The same as the database has it, before the program has heard. */
async function keptFactor(cookie: string): Promise<boolean> {
  const { accountId } = await office.as(cookie).access.current()
  const { rows } = await office.owner.query(
    'select account_id from factor_totps where account_id = $1 union all select account_id from passkeys where account_id = $1',
    [accountId],
  )
  return rows.length > 0
}

/** The account of this session has a factor that nobody has proven while the work runs; one that it had stays. */
async function withFactor(cookie: string, work: () => Promise<void>): Promise<void> {
  const { accountId, agentId } = await office.as(cookie).access.current()
  await office.owner.query('delete from factor_proofs')
  const had = await keptFactor(cookie)
  if (!had)
    await office.owner.query(
      `insert into factor_totps (account_id, agent_id, secret, last_step, created_at) values ($1, $2, '', 0, now())`,
      [accountId, agentId],
    )
  assert.ok(await soon(() => hasFactor(cookie)))
  try {
    await work()
  } finally {
    if (!had) {
      for (const table of ['factor_totps', 'passkeys'])
        await office.owner.query(`delete from ${table} where account_id = $1`, [accountId])
      assert.ok(await soon(async () => !(await hasFactor(cookie))))
    }
  }
}

/** All sessions of the account have proven their factor so many minutes ago. */
async function prove(cookie: string, minutesAgo: number): Promise<void> {
  const { accountId } = await office.as(cookie).access.current()
  await office.owner.query(
    `insert into factor_proofs select id, now() - make_interval(mins => $2) from sessions where account_id = $1
     on conflict (session_id) do update set proved_at = excluded.proved_at`,
    [accountId, minutesAgo],
  )
}

const prepare = async ({ name, ephemeral }: Walked) => {
  if (ephemeral) return { cookie: partnerCookie, input: {} }
  const change = changes[name]
  assert.ok(change, `${name} has an entry in the changes of its feature's walk.ts`)
  const { cookie, input } = await change.accepted()
  assert.ok(cookie)
  return { cookie, input }
}
const written = async () =>
  (await office.owner.query('select count(*) from operation_logs')).rows[0].count as string

describe('with the cookie alone of an account that has a factor', () => {
  for (const operation of STEP_UP)
    test(`${operation.name} is refused until the factor is proven, and again later`, async () => {
      const { cookie, input } = await prepare(operation)
      await withFactor(cookie, async () => {
        const key = crypto.randomUUID()
        const before = await written()
        const refused = async () => {
          const { status, code, message } = await call(office.app, cookie, operation, input, { key })
          assert.deepEqual([status, code, message], [403, 'FACTOR_REQUIRED', COMMON_REFUSALS.FACTOR_REQUIRED])
        }
        await refused()
        await prove(cookie, 10)
        await refused()
        assert.equal(await written(), before)
        await prove(cookie, 9)
        const answer = await call(office.app, cookie, operation, input, { key })
        assert.equal(answer.status, 200, `${operation.name} answered ${answer.code} ${answer.message}`)
      })
    })
})

test('with the wall taken away each goes through with the cookie alone', async () => {
  const { walls } = office.app.services
  walls.stepUp = false
  try {
    for (const operation of STEP_UP) {
      const { cookie, input } = await prepare(operation)
      await withFactor(cookie, async () => {
        const { code } = await call(office.app, cookie, operation, input)
        assert.equal(code, undefined, operation.name)
      })
    }
  } finally {
    delete walls.stepUp
  }
})

test('another session that has proven the factor opens nothing for the stolen one', async () => {
  const own = await office.login(operator.loginName)
  await withFactor(own, async () => {
    const { rows } = await office.as(own).signIn.sessions()
    const { id } = rows.find(({ current }) => current) as { id: number }
    await office.owner.query('insert into factor_proofs values ($1, now())', [id])
    const credit = STEP_UP.find(({ name }) => name === 'ledger.credit') as Walked
    const { input } = await prepare(credit)
    assert.equal((await call(office.app, operatorCookie, credit, input)).code, 'FACTOR_REQUIRED')
    assert.equal((await call(office.app, own, credit, input)).status, 200)
  })
})

test('who has no factor is asked for none, but for the password before what one is let in by is changed', async () => {
  const asked: string[] = []
  for (const operation of STEP_UP) {
    const { cookie, input } = await prepare(operation)
    if (await keptFactor(cookie)) continue
    await office.owner.query('delete from factor_proofs')
    if (operation.stepUp === 'always') {
      asked.push(operation.name)
      assert.equal((await call(office.app, cookie, operation, input)).code, 'FACTOR_REQUIRED', operation.name)
      await prove(cookie, 0)
      await office.owner.query('update factor_proofs set by_password = true')
    }
    assert.equal((await call(office.app, cookie, operation, input)).code, undefined, operation.name)
  }
  assert.deepEqual(asked.sort(), [
    'agentProfile.changePhone',
    'factors.addPasskey',
    'factors.addTotp',
    'factors.startPasskey',
    'factors.startTotp',
    'signIn.endOtherSessions',
    'signIn.endSession',
  ])
})

test(`a file of more than ${STEP_UP_ROWS} rows asks for the factor, a shorter one does not`, async () => {
  const rich = await makeAgent(office)
  const cookie = await office.login(rich.loginName)
  const file = everyOperation().find(({ name }) => name === 'merchants.list (file)') as Walked
  await makeMerchants(office, rich.id, STEP_UP_ROWS, () => ({}))
  await withFactor(cookie, async () => {
    const answered = async () => (await call(office.app, cookie, file)).code
    assert.equal(await answered(), undefined)
    await makeMerchants(office, rich.id, 1, () => ({}))
    const before = await written()
    assert.equal(await answered(), 'FACTOR_REQUIRED')
    assert.equal(await written(), before)
    await prove(cookie, 0)
    assert.equal(await answered(), undefined)
  })
})

test('a long file that lies ready asks for it too', async () => {
  const { accountId, id: agentId } = operator
  const { rows } = await office.owner.query(
    `insert into export_jobs (agent_id, account_id, path, title, conditions, query, state, rows_written, created_at,
       finished_at, expires_at)
     values ($1, $2, '/merchants.xlsx', '商户', '', '{}', 'done', $3, now(), now(), now() + interval '1 hour') returning id`,
    [agentId, accountId, STEP_UP_ROWS + 1],
  )
  await office.app.services.storage.put(`exports/${rows[0].id}.xlsx`, Buffer.from('rows'))
  const file = everyOperation().find(({ name }) => name === 'exports.file (file)') as Walked
  await withFactor(operatorCookie, async () => {
    const answered = async () => (await call(office.app, operatorCookie, file, { id: rows[0].id })).code
    assert.equal(await answered(), 'FACTOR_REQUIRED')
    await prove(operatorCookie, 0)
    assert.equal(await answered(), undefined)
  })
})

test('who must have a factor and has none may do nothing but set one up', async () => {
  const { walls } = office.app.services
  assert.equal(walls.stepUp, undefined)
  await office.owner.query(
    `insert into factor_rules (agent_id, kind, since, grace_days) values ($1, 'owners', now() - interval '1 day', 1)`,
    [operator.id],
  )
  const due = async () => (await office.as(partnerCookie).access.current()).factor.dueAt
  try {
    assert.ok(await soon(async () => ((await due()) ?? Number.POSITIVE_INFINITY) > Date.now()))
    await office.owner.query(`update accounts set created_at = now() - interval '9 days'`)
    await office.owner.query(`update factor_rules set grace_days = 0`)
    assert.ok(await soon(async () => ((await due()) ?? Number.POSITIVE_INFINITY) <= Date.now()))
    for (const operation of everyOperation()) {
      if (operation.permission === 'public' || operation.enrolment) continue
      const { status, code } = await call(office.app, partnerCookie, operation)
      assert.deepEqual([status, code], [403, 'ENROLMENT_REQUIRED'], operation.name)
    }
    const picture = await office.app.http.inject({
      url: '/api/files/1',
      headers: { cookie: partnerCookie },
    })
    assert.equal(picture.json().code, 'ENROLMENT_REQUIRED')
    assert.equal((await office.as(operatorCookie).access.current()).factor.dueAt, null)
  } finally {
    await office.owner.query('delete from factor_rules')
  }
})
