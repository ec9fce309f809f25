// S7: a stolen cookie is not enough. The guard of every operation that asks for a fresh second factor, asked without a call;
// test/every-change.test.ts calls each, with input that is accepted once the factor is proven.
import assert from 'node:assert/strict'
import test, { after, before } from 'node:test'
import { STEP_UP_ROWS } from '#kit/declare/list.ts'
import { callBy, refusalBy } from './admission.ts'
import { type Office, openOffice } from './app.ts'
import { type MadeAgent, makeAgent, makeMerchants } from './make.ts'
import { forgetProofs } from './make-factors.ts'
import { call, everyOperation, soon, type Walked } from './walk.ts'

const STEP_UP = everyOperation().filter(({ stepUp }) => stepUp)

/** What the product's owner wants guarded, by the operations that do it. */
const SUBJECTS: Record<string, RegExp> = {
  crediting: /^ledger\.credit$/,
  partners: /^partners\.(takeOn|edit|changeParent|suspend|resume|invite|revokeInvitation)$/,
  'the end of a partner': /^partnerClosing\.(start|pause|resume|retry)$/,
  'everything of an agency is taken along': /^agencyExports\.(start|retry)$/,
  'an applicant becomes a partner': /^partnerApplications\.accept$/,
  allocation: /^settlement\.allocate$/,
  'approval of an undo': /^settlement\.(approveUndo|rejectUndo|setUndoSettings)$|^aftersales\.cancel$/,
  refunds:
    /^paymentDesk\.(refund|retryRefund)$|^hardware\.returnOrder$|^shopPages\.refund$|^deposits\.(approve|payOut)$/,
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

before(async () => {
  office = await openOffice()
  partner = await makeAgent(office)
  operator = await makeAgent(office, { operator: true })
  partnerCookie = await office.login(partner.loginName)
  operatorCookie = await office.login(operator.loginName)
})
after(() => office.stop())

const hasFactor = async (cookie: string) => (await office.as(cookie).access.current()).factor.has

/** The account of this session has a factor that nobody has proven while the work runs. */
async function withFactor(cookie: string, work: () => Promise<void>): Promise<void> {
  const { accountId, agentId } = await office.as(cookie).access.current()
  await forgetProofs(office)
  await office.owner.query(
    `insert into factor_totps (account_id, agent_id, secret, last_step, created_at) values ($1, $2, '', 0, now())`,
    [accountId, agentId],
  )
  assert.ok(await soon(() => hasFactor(cookie)))
  try {
    await work()
  } finally {
    await office.owner.query('delete from factor_totps where account_id = $1', [accountId])
    assert.ok(await soon(async () => !(await hasFactor(cookie))))
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

const written = async () =>
  (await office.owner.query('select count(*) from operation_logs')).rows[0].count as string

/** Of whom no refusal but the factor's is to be told: the operator may do everything. */
const refusals = async (services = office.app.services) => {
  const refused = []
  for (const operation of STEP_UP)
    if ((await refusalBy(operation, callBy(services, operatorCookie))) === 'FACTOR_REQUIRED')
      refused.push(operation.name)
  return refused
}
const NAMES = STEP_UP.map(({ name }) => name)
const ALWAYS = [
  'agentProfile.changePhone',
  'factors.addPasskey',
  'factors.addTotp',
  'factors.removePasskey',
  'factors.removeTotp',
  'factors.renewRecoveryCodes',
  'factors.startPasskey',
  'factors.startTotp',
  'personErasures.approve',
  'personErasures.ask',
  'personErasures.look',
  'signIn.endOtherSessions',
  'signIn.endSession',
]

test('with the cookie alone of an account that has a factor each is refused, and with the wall taken away none', async () => {
  await withFactor(operatorCookie, async () => {
    assert.deepEqual(await refusals(), NAMES)
    const { services } = office.app
    assert.deepEqual(await refusals({ ...services, walls: { ...services.walls, stepUp: false } }), [])
    await prove(operatorCookie, 10)
    assert.deepEqual(await refusals(), NAMES)
    await prove(operatorCookie, 9)
    assert.deepEqual(await refusals(), [])
  })
})

test('another session that has proven the factor opens nothing for the stolen one', async () => {
  const own = await office.login(operator.loginName)
  await withFactor(own, async () => {
    const { rows } = await office.as(own).signIn.sessions()
    const { id } = rows.find(({ current }) => current) as { id: number }
    await office.owner.query('insert into factor_proofs values ($1, now())', [id])
    const credit = STEP_UP.find(({ name }) => name === 'ledger.credit') as Walked
    const input = { agentId: partner.id, asset: 'token', amount: 500, reason: '预付' }
    assert.equal((await call(office.app, operatorCookie, credit, input)).code, 'FACTOR_REQUIRED')
    assert.equal((await call(office.app, own, credit, input)).status, 200)
  })
})

test('who has no factor is asked for none, but for the password before what one is let in by is changed, or a person is erased', async () => {
  await forgetProofs(office)
  assert.deepEqual((await refusals()).sort(), ALWAYS)
  await prove(operatorCookie, 0)
  await office.owner.query('update factor_proofs set by_password = true')
  assert.deepEqual(await refusals(), [])
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
