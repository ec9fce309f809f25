// The program is killed again and again while shops are brought in to a payment service, and while one fen is tried through an acquirer: each
// application must be there once, each state told once, each number written where its shop is paid once, each order made and refunded once.
// The services live here, and go on.
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { drizzle } from 'drizzle-orm/node-postgres'
import type pg from 'pg'
import { startDemoSimulators } from '#app/providers.ts'
import { acquirerRow } from '#features/acquiring/acquirer-onboardings/rows.ts'
import { acquirerOnboardings } from '#features/acquiring/acquirer-onboardings/tables.ts'
import { offerMethod } from '#features/acquiring/acquirer-onboardings/walk.ts'
import { WHOLE as APPLICATION, makePapers } from '#features/acquiring/payment-applications/walk.ts'
import { WHOLE as IDENTITY } from '#features/care/verification/walk.ts'
import { accountRow } from '#features/office/access/rows.ts'
import { accounts } from '#features/office/access/tables.ts'
import { agentRow, OPERATOR } from '#features/office/agents/rows.ts'
import { agents } from '#features/office/agents/tables.ts'
import { merchantRow } from '#features/shops/merchants/rows.ts'
import { merchants } from '#features/shops/merchants/tables.ts'
import { ONBOARDING_STATES } from '#kit/ports/onboarding.ts'
import type { RunningSimulator } from '#providers/simulator.ts'
import type { SimState } from '#providers/wechat-pay/simulator-onboarding-book.ts'
import { readEnv } from '#server/env.ts'
import { insertRows } from '#server/insert-rows.ts'
import { hashPassword, makeSecrets } from '#server/secrets.ts'
import { openStorage } from '#server/storage/open-storage.ts'
import type { Office } from '../app.ts'
import { openReceiver, type Receiver } from '../changes/receiver.ts'
import { aLicenceNumber } from '../wechat-onboarding.ts'
import { environmentOf, type Simulators, withOwner } from './payments-killed.ts'
import { type Supervisor, supervise } from './supervisor.ts'

const AGENT = 500
const FIRST_SHOP = 20_000_000
const PASSWORD = 'faults-2026'
const WITHIN_MS = 90_000
const LATE_MS = 3_000
const DYING_AFTER_MS = 80
const LICENCE_NUMBER = 'subject_info.business_license_info.license_number'

type Scene = {
  client: pg.Client
  simulators: Simulators
  supervisor: Supervisor
  receiver: Receiver
  secretKey: string
  dataDir: string
  /** Cookies. */
  staff: string
  agent: string
  agentAccountId: number
}
/** Takes a guard away before anything is asked for. */
type Spoil = (client: pg.Client) => Promise<unknown>

/** An office with one of the vendor's people and an agent, which is killed; its services are not. */
async function inScene<T>(work: (scene: Scene) => Promise<T>, spoil?: Spoil): Promise<T & { falls: number }> {
  const dataDir = mkdtempSync(join(tmpdir(), 'partner-office-acquiring-'))
  const simulators = await startDemoSimulators(null, '测试签名', { smsLimits: false })
  const receiver = await openReceiver()
  const secretKey = randomBytes(32).toString('hex')
  const { baseUrl, orgId, privateKey, publicKey } = simulators.settings.tianque
  const supervisor = await supervise(dataDir, {
    ...{ SECRET_KEY: secretKey, LOGIN_FAILURES_MAX: '1000', WEBHOOKS_TO_LOOPBACK: 'on' },
    ...{ TIANQUE_BASE_URL: baseUrl, TIANQUE_ORG_ID: orgId },
    ...{ TIANQUE_PRIVATE_KEY: privateKey, TIANQUE_PUBLIC_KEY: publicKey },
    ...environmentOf(simulators),
  })
  try {
    const found = await withOwner(dataDir, async client => {
      await spoil?.(client)
      const agentAccountId = await createPeople(client)
      const { url } = supervisor
      const [staff, agent] = [await login(url, 'staff'), await login(url, 'agent')]
      const people = { staff, agent, agentAccountId }
      return work({ client, simulators, supervisor, receiver, secretKey, dataDir, ...people })
    })
    return { ...found, falls: supervisor.fallsOf() }
  } finally {
    await supervisor.stop()
    await receiver.stop()
    await simulators.stop()
    rmSync(dataDir, { recursive: true, force: true, maxRetries: 5 })
  }
}

type Brought = {
  kills: number
  applications: number
  /** How often one was handed in. */
  submits: number
  /** How often one was asked about. */
  asks: number
  finished: number
  webhooks: number
  breaches: string[]
}
/** `id`: the application's, `number`: of the shop's licence. */
type Applied = { shop: number; id: number; number: string }

/** One application for each kill, killed while it is handed in; then as many kills while they are asked about. */
export function killDuringOnboardings(kills: number, { spoil }: { spoil?: Spoil } = {}) {
  return inScene<Brought>(async scene => {
    const { simulators, supervisor, receiver, client } = scene
    const found: Brought = {
      ...{ kills: 0, applications: 0, submits: 0, asks: 0, finished: 0, webhooks: 0 },
      breaches: [],
    }
    const calls = countCalls(simulators.wechat)
    const die = () => {
      found.kills++
      return dieAndGoOn(scene, 'onboardings')
    }
    const applied = await createApplications(scene, kills)
    const topics = ['shop.payment.changed']
    const hook = await send(supervisor.url, scene.agent, 'POST', 'webhooks', { url: receiver.url, topics })
    receiver.secrets.push(String(hook.secret))

    for (const [round, { id, number }] of applied.entries()) {
      const isLate = round % 2 === 1
      const before = calls.submit ?? 0
      simulators.wechat.control.faults.push({
        ...{ match: 'submit', times: 1 },
        // Taken in and not answered, or still on its way while the program has begun anew.
        effect: isLate ? { kind: 'latency', ms: Math.random() * LATE_MS } : { kind: 'silence' },
      })
      await send(supervisor.url, scene.staff, 'POST', `payment-applications/${id}/onboarding`, {
        revision: 1,
      })
      const isThere = () => simulators.wechat.applications().some(one => one.said[LICENCE_NUMBER] === number)
      await until('hands in', () => (isLate ? (calls.submit ?? 0) > before : isThere()))
      await die()
      await untilDue(scene, 'onboardings', async () => (await onboardingOf(client, id)).state === 'asked')
      if (!isLate && calls.submit !== before + 1)
        found.breaches.push(`application ${id} was there and handed in again`)
    }

    for (let round = 0; round < kills; round++) {
      for (const [n, { id }] of applied.entries()) await moveOn(scene, id, stepOf(n, round, kills))
      const before = calls.application ?? 0
      const open = await openOnes(client)
      simulators.wechat.control.faults.push({
        ...{ match: 'application', times: 1 },
        effect: { kind: 'latency', ms: Math.random() * DYING_AFTER_MS },
      })
      if (open[0] !== undefined) {
        await makeDue(client, 'onboardings')
        await send(
          supervisor.url,
          scene.staff,
          'POST',
          `payment-applications/${open[0]}/onboarding/question`,
          {},
        )
        await until('asks', () => (calls.application ?? 0) > before)
      }
      // Before, during or after what it is told.
      await pause(Math.random() * DYING_AFTER_MS)
      await die()
      await untilDue(scene, 'onboardings', () => areTold(scene))
    }
    found.submits = calls.submit ?? 0
    found.asks = calls.application ?? 0
    await judgeOnboardings(scene, applied, found)
    return found
  }, spoil)
}

/** They follow each other, so that a kill finds them in different states; each has been signed by the last. */
function stepOf(n: number, round: number, kills: number): SimState | null {
  const steps = ['TO_BE_SIGNED', 'SIGNING', 'FINISHED'] as const
  const first = Math.max(0, Math.min(n, kills - steps.length))
  if (kills < steps.length) return round === kills - 1 ? 'FINISHED' : null
  return steps[round - first] ?? null
}

async function moveOn({ client, simulators }: Scene, id: number, state: SimState | null): Promise<void> {
  if (state === null) return
  const { businessCode } = await onboardingOf(client, id)
  const answer = await fetch(`${simulators.wechat.url}/__sim/applications`, {
    method: 'POST',
    body: JSON.stringify({ businessCode, state }),
  })
  if (!answer.ok) throw new Error(`the simulator does not know ${businessCode}`)
}

type Standing = {
  state: string
  businessCode: string
  serviceId: string
  subMerchantId: string
  serviceState: keyof typeof ONBOARDING_STATES | null
}
async function onboardingOf(client: pg.Client, id: number): Promise<Standing> {
  const { rows } = await client.query<Standing>(
    `select o.state, o.business_code as "businessCode", o.service_id as "serviceId", o.sub_merchant_id as "subMerchantId",
       a.service_state as "serviceState"
     from onboardings o join payment_applications a on a.id = o.application_id where a.id = $1`,
    [id],
  )
  if (!rows[0]) throw new Error(`there is no onboarding of application ${id}`)
  return rows[0]
}

async function openOnes(client: pg.Client): Promise<number[]> {
  const { rows } = await client.query<{ id: number }>(
    'select application_id::int as id from onboardings where next_at is not null order by id desc',
  )
  return rows.map(({ id }) => id)
}

const STATES: Readonly<Record<SimState, keyof typeof ONBOARDING_STATES>> = {
  EDITTING: 'editing',
  AUDITING: 'auditing',
  REJECTED: 'rejected',
  TO_BE_CONFIRMED: 'toBeConfirmed',
  TO_BE_SIGNED: 'toBeSigned',
  SIGNING: 'signing',
  FINISHED: 'finished',
  CANCELED: 'canceled',
}

/** The office knows of each what the service knows. */
async function areTold({ client, simulators }: Scene): Promise<boolean> {
  const { rows } = await client.query<{ code: string; state: string }>(
    'select o.business_code as code, a.service_state as state from onboardings o join payment_applications a on a.id = o.application_id',
  )
  const there = new Map(simulators.wechat.applications().map(one => [one.businessCode, STATES[one.state]]))
  return rows.every(({ code, state }) => there.get(code) === state)
}

async function judgeOnboardings(scene: Scene, applied: readonly Applied[], found: Brought): Promise<void> {
  const { client, simulators, receiver, secretKey } = scene
  const { breaches } = found
  const secrets = makeSecrets(secretKey)
  const there = simulators.wechat.applications()
  found.applications = there.length
  await until('delivers', async () => {
    const { rows } = await client.query<{ left: string }>(
      `select (select count(*) from change_inbox) + (select count(*) from webhook_deliveries where state = 'pending')
         + (select e.last - c.seq from shop_change_ends e, webhook_cursor c) as left`,
    )
    return Number(rows[0]?.left) === 0
  }).catch(error => breaches.push(String(error)))
  for (const { shop, id, number } of applied) {
    const standing = await onboardingOf(client, id)
    const own = there.filter(one => one.said[LICENCE_NUMBER] === number)
    const [first] = own
    if (own.length !== 1 || !first) {
      breaches.push(`shop ${shop} has ${own.length} applications at the service`)
      continue
    }
    if (first.businessCode !== standing.businessCode || String(first.applymentId) !== standing.serviceId)
      breaches.push(`application ${id} is known by another number than at the service`)
    if (standing.state !== 'finished' || standing.subMerchantId !== first.subMchid)
      breaches.push(`application ${id} is ${standing.state} with ${standing.subMerchantId}`)
    else found.finished++
    const { rows } = await client.query<{ config: Buffer | null; method: number | null; enabled: boolean }>(
      'select payment_config as config, payment_method_id::int as method, pay_enabled as enabled from merchants where id = $1',
      [shop],
    )
    const config = rows[0]?.config ? secrets.decrypt(rows[0].config) : ''
    if (config !== JSON.stringify({ mch_id: first.subMchid }) || rows[0]?.method !== 2 || !rows[0].enabled)
      breaches.push(`shop ${shop} is paid by ${config}`)
    const told = new Set(
      receiver.messages.filter(message => message.shopId === shop).map(message => message.seq),
    )
    found.webhooks += told.size
    if (told.size !== 1) breaches.push(`of shop ${shop} ${told.size} webhooks told how it is paid`)
    await judgeHistory(scene, shop, breaches)
  }
}

/** Each state is in the history once, and its agent has heard once how the shop is paid. */
async function judgeHistory({ client }: Scene, shop: number, breaches: string[]): Promise<void> {
  const { rows } = await client.query<{ title: string; changes: { after: string }[] }>(
    `select title, changes from operation_logs where merchant_id = $1 and title in ('支付服务受理', '变更商户收款方式') order by id`,
    [shop],
  )
  const states = rows
    .filter(({ title }) => title === '支付服务受理')
    .map(({ changes }) => changes[0]?.after ?? '')
  if (new Set(states).size !== states.length || states.at(-1) !== ONBOARDING_STATES.finished)
    breaches.push(`the history of shop ${shop} tells ${states.join(', ')}`)
  const written = rows.length - states.length
  if (written !== 1) breaches.push(`the number of shop ${shop} was written ${written} times`)
  const { rows: notices } = await client.query<{ n: number }>(
    `select count(*)::int as n from notices where title = '商户收款方式已开通' and (body like '%' || $1 || '%' or link like '%' || $1 || '%')`,
    [String(shop)],
  )
  if (notices[0]?.n !== 1) breaches.push(`of shop ${shop} its agent was told ${notices[0]?.n} times`)
}

/** The code by which an application is known at the service is another one whenever it is asked about: nothing finds it there again. */
export function forgetCodes(client: pg.Client): Promise<unknown> {
  return client.query(`create function forget_code() returns trigger language plpgsql as $$
      begin
        new.business_code := left(old.business_code, 20) || '_' || substr(md5(new.claim), 1, 8);
        return new;
      end $$;
    create trigger forget_code before update on onboardings for each row
      when (old.business_code <> '' and new.claim <> '' and new.claim <> old.claim and old.state = 'waiting') execute function forget_code()`)
}

type Tested = { kills: number; orders: number; refunds: number; closed: number; breaches: string[] }
const MOMENTS = ['create', 'query', 'refund'] as const

/** Payments of one fen, killed by turns while an order is made, asked about, and refunded. */
export function killDuringTestPayments(kills: number, { spoil }: { spoil?: Spoil } = {}) {
  return inScene<Tested>(async scene => {
    const { client, simulators, supervisor } = scene
    const { tianque } = simulators
    const found: Tested = { kills: 0, orders: 0, refunds: 0, closed: 0, breaches: [] }
    const calls = countCalls(tianque)
    const made = await createOpened(scene, kills)
    for (const [round, { id, mno }] of made.entries()) {
      const moment = MOMENTS[round % MOMENTS.length] as (typeof MOMENTS)[number]
      const silence = () => {
        tianque.control.faults.push({ match: moment, times: 1, effect: { kind: 'silence' } })
        return calls[moment] ?? 0
      }
      const order = () => tianque.orders().find(one => one.mno === mno)
      const testOf = () => testPaymentOf(client, id)
      let before = moment === 'create' ? silence() : 0
      await send(supervisor.url, scene.staff, 'POST', `acquirer-onboardings/${id}/test-payments`, {})
      if (moment !== 'create') {
        await until('orders', async () => (await testOf()).codeUrl !== '')
        before = silence()
        tianque.payCode((await testOf()).codeUrl)
      }
      await untilDue(scene, 'acquirer_test_payments', async () =>
        moment === 'refund'
          ? order()?.refunds.length === 1
          : moment === 'create'
            ? order() !== undefined
            : (calls[moment] ?? 0) > before,
      )
      found.kills++
      await dieAndGoOn(scene, 'acquirer_test_payments')
      const ends = moment === 'create' ? ['failed', 'waiting'] : ['refunded', 'failed']
      await untilDue(scene, 'acquirer_test_payments', async () =>
        ends.includes((await testOf()).state),
      ).catch(error => found.breaches.push(`${moment}: ${error}`))
      const { state } = await testOf()
      const orders = tianque.orders().filter(one => one.mno === mno)
      const refunds = orders.flatMap(one => one.refunds)
      found.orders += orders.length
      found.refunds += refunds.length
      found.closed += orders.filter(one => one.state === 'CLOSED').length
      const [wantedState, there, back] =
        moment === 'create' ? ['failed', 'CLOSED', 0] : ['refunded', 'SUCCESS', 1]
      if (orders.length !== 1 || state !== wantedState || order()?.state !== there || refunds.length !== back)
        found.breaches.push(
          `killed at ${moment}: ${state} with ${orders.length} orders (${orders.map(one => one.state)}) and ${refunds.length} refunds`,
        )
    }
    return found
  }, spoil)
}

/** An order whose answer was lost is made again, under another number. */
export function orderTwice(client: pg.Client): Promise<unknown> {
  return client.query(`create function order_twice() returns trigger language plpgsql as $$
      begin
        new.order_no := 'T' || substr(md5(new.claim), 1, 28);
        new.tries := 1;
        return new;
      end $$;
    create trigger order_twice before update on acquirer_test_payments for each row
      when (new.claim <> '' and new.claim <> old.claim and old.state = 'ordering') execute function order_twice()`)
}

async function testPaymentOf(client: pg.Client, id: number): Promise<{ state: string; codeUrl: string }> {
  const { rows } = await client.query<{ state: string; codeUrl: string }>(
    'select state, code_url as "codeUrl" from acquirer_test_payments where onboarding_id = $1',
    [id],
  )
  if (!rows[0]) throw new Error(`there is no test payment of ${id}`)
  return rows[0]
}

/** How often each of its interfaces was called. */
function countCalls({ control }: RunningSimulator): Record<string, number> {
  const calls: Record<string, number> = {}
  const { take } = control
  control.take = (kind, name) => {
    // Asked for once for each request, first of all.
    if (kind === 'latency') calls[name] = (calls[name] ?? 0) + 1
    return take(kind, name)
  }
  return calls
}

type Queue = 'onboardings' | 'acquirer_test_payments'

/** While it is dead the claim of whoever died runs out, which takes minutes; the next to start finds it. */
async function dieAndGoOn({ client, supervisor }: Scene, queue: Queue): Promise<void> {
  const dying = supervisor.kill('app')
  await client.query(`update ${queue} set next_at = now() where next_at is not null`)
  await dying
}

/** What nobody is at is due now. */
async function makeDue(client: pg.Client, queue: Queue): Promise<void> {
  const more = queue === 'onboardings' ? ', asked_at = null' : ''
  await client.query(
    `update ${queue} set next_at = now()${more} where next_at is not null and claim = '' and tries = 0`,
  )
}

/** Throws where it does not come in time. */
async function until(what: string, holds: () => boolean | Promise<boolean>): Promise<void> {
  for (const end = Date.now() + WITHIN_MS; !(await holds()); await pause(10))
    if (Date.now() > end) throw new Error(`it never ${what}`)
}

/** The same, with what is due later due now. */
async function untilDue({ client }: Scene, queue: Queue, holds: () => Promise<boolean>): Promise<void> {
  for (const end = Date.now() + WITHIN_MS; !(await holds()); await pause(200)) {
    if (Date.now() > end) throw new Error(`${queue} do not come to rest`)
    await client.query(
      `update ${queue} set next_at = now() where next_at > now() + interval '1 second' and claim = ''`,
    )
  }
}

/** Answers the agent's account. */
async function createPeople(client: pg.Client): Promise<number> {
  const createdAt = new Date().toISOString()
  const db = drizzle(client)
  await db
    .insert(agents)
    .values([agentRow({ id: 1, createdAt, ...OPERATOR }), agentRow({ id: AGENT, createdAt })])
  const passwordHash = await hashPassword(PASSWORD)
  const of = (agentId: number, loginName: string) =>
    accountRow({ agentId, loginName, passwordHash, isOwner: true, createdAt })
  const rows = await db
    .insert(accounts)
    .values([of(1, 'staff'), of(AGENT, 'agent')])
    .returning({ id: accounts.id })
  return rows[1]?.id as number
}

async function createShops(client: pg.Client, count: number): Promise<number[]> {
  const registeredAt = new Date().toISOString()
  const ids = Array.from({ length: count }, (_, n) => FIRST_SHOP + n)
  await insertRows(
    client,
    merchants,
    ids.map(id =>
      merchantRow({
        ...{ id, agentId: AGENT, account: String(13_600_000_000 + id), registeredAt },
        ...{ shopName: '老张面馆', shortName: '老张面馆', address: '科技路1号', districtCode: '440305' },
      }),
    ),
  )
  return ids
}

const DETAILS = {
  ...{ subjectKind: 'enterprise', licenceAddress: '深圳市南山区科技路1号', licenceFrom: '2018-05-01' },
  ...{
    isLicenceLongTerm: true,
    idFrom: '2020-01-01',
    idTo: '2040-01-01',
    idAddress: '深圳市南山区学府路2号',
  },
  ...{ shortName: '老张面馆', servicePhone: '0755-88886666', category: '716 餐饮' },
  accountNumber: '755912345678901',
} as const

/** Approved and completed, through the office itself; only the pictures are laid where it keeps them. */
async function createApplications(scene: Scene, count: number): Promise<Applied[]> {
  const { client, secretKey, dataDir, agent, staff, agentAccountId } = scene
  const { url } = scene.supervisor
  const storage = openStorage(readEnv({ DATA_DIR: dataDir, SECRET_KEY: secretKey }))
  const services = { storage, secrets: makeSecrets(secretKey) }
  const office = { owner: client, app: { services } } as unknown as Office
  const by = { id: AGENT, accountId: agentAccountId }
  const banks = await send(url, agent, 'GET', 'payment-applications/banks?payType=corporate')
  const rows = banks.banks as { name: string; code: string }[]
  const bankCode = rows.find(({ name }) => name === APPLICATION.bankName)?.code ?? ''
  const applied: Applied[] = []
  for (const merchantId of await createShops(client, count)) {
    const number = aLicenceNumber()
    const papers = await makePapers(office, by, merchantId)
    const { idFrontId, idBackId, licenceId } = papers
    const identity = { ...IDENTITY, creditCode: number, idFrontId, idBackId, licenceId }
    await send(url, agent, 'PUT', 'verification/shop', { merchantId, revision: 0, ...identity })
    const { id, revision } = await send(url, agent, 'POST', 'payment-applications', {
      ...{ merchantId, revision: 0, ...APPLICATION, bankCode, ...papers },
    })
    await send(url, staff, 'POST', `payment-applications/${id}/approval`, { revision })
    await send(url, agent, 'PUT', `payment-applications/${id}/onboarding`, { revision: 0, ...DETAILS })
    applied.push({ shop: merchantId, id: Number(id), number })
  }
  storage.close()
  return applied
}

/** Opened at the acquirer, and handed over through the office. */
async function createOpened(scene: Scene, count: number): Promise<{ id: number; mno: string }[]> {
  const { client, supervisor, staff } = scene
  await offerMethod({ owner: client } as unknown as Office, AGENT, 'tianque')
  const now = new Date().toISOString()
  const made: { id: number; mno: string }[] = []
  for (const merchantId of await createShops(client, count)) {
    const mno = `399${String(merchantId).padStart(12, '0')}`
    const [row] = await drizzle(client)
      .insert(acquirerOnboardings)
      .values(
        acquirerRow({
          ...{ agentId: AGENT, merchantId, channel: 'tianque', createdAt: now, code: mno },
          ...{ approvalState: 'approved', state: 'opened', merchantStatus: 'normal', openedAt: now },
          ...{ submittedAt: now, submittedByName: '王小明', handledAt: now, handledByName: '李四' },
        }),
      )
      .returning({ id: acquirerOnboardings.id })
    const id = row?.id as number
    await send(supervisor.url, staff, 'POST', `acquirer-onboardings/${id}/hand-over`, { revision: 1 })
    made.push({ id, mno })
  }
  return made
}

/** Throws with what was answered where it was refused. */
async function send(
  url: string,
  cookie: string,
  method: 'GET' | 'POST' | 'PUT',
  path: string,
  body?: object,
): Promise<Record<string, unknown>> {
  const answer = await fetch(`${url}/api/${path}`, {
    method,
    headers: {
      ...(body ? { 'content-type': 'application/json' } : {}),
      ...{ 'x-requested-with': 'partner-office', 'idempotency-key': randomBytes(16).toString('hex'), cookie },
    },
    ...(body ? { body: JSON.stringify(body) } : {}),
  })
  if (!answer.ok) throw new Error(`${method} ${path} answered ${answer.status} ${await answer.text()}`)
  return (await answer.json()) as Record<string, unknown>
}

async function login(url: string, loginName: string): Promise<string> {
  const answer = await fetch(`${url}/api/session`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-requested-with': 'partner-office' },
    body: JSON.stringify({ loginName, password: PASSWORD }),
  })
  if (!answer.ok) throw new Error(`${loginName} could not log in: ${answer.status}`)
  return (answer.headers.getSetCookie()[0] as string).split(';', 1)[0] as string
}
