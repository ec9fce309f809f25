// Tenancy: every operation is called with what lives, first by strangers and then by whose it is. That the last is answered 200 proves that
// what the strangers named was there to be had. A stranger's call must change no row of the owner's, and show nothing of it.
import pg from 'pg'
import readXlsx from 'read-excel-file/node'
import { PERMISSION_NODES } from '#app/joined.ts'
import { type Office, openOffice, PASSWORD } from '#test/app.ts'
import { changesOf, makeDesk } from '#test/desk.ts'
import { makeAgent, makeMerchant } from '#test/make.ts'
import { makeKey, withoutLimit } from '#test/make-api-keys.ts'
import { giveSms } from '#test/make-messages.ts'
import { quickHash } from '#test/quick-hash.ts'
import { TENANT_TABLES } from '#test/tenancy-walk.ts'
import { type Answered, call, everyOperation, everyPosOperation, type Walked } from '#test/walk.ts'
import { type Desk, MARK, type PosAttempt } from '#test/walk-types.ts'
import { WALKS } from '#test/walks.ts'
import { isBroken, type Report } from './report.ts'

type Input = Record<string, unknown>
type Stranger = { who: string; cookie: string | null }

/** Whose they are is said by what is sent: a name at the door, a code in a link. */
const BY_WHAT_IS_SENT = ['signIn.login', 'signIn.resetPassword', 'signIn.sendResetCode']
/** Of one's own: they end the session that the next calls are made with. */
const ENDS_ITSELF = ['signIn.logout', 'signIn.endOtherSessions', 'signIn.changePassword']

export async function attackTenancy(report: Report, { withoutWalls = false } = {}): Promise<void> {
  const office = await openOffice(withoutWalls ? { walls: { explicitScope: false, rowSecurity: false } } : {})
  try {
    const desk = await makeDesk(office)
    const other = await makeAgent(office, { tokens: 10_000, sms: 100, levelId: 3 })
    const cookie = await office.login(other.loginName)
    const key = await makeKey(office, cookie, keyVerbs(await office.as(cookie).apiKeys.tree()))
    await withoutLimit(office, key)
    const strangers = [
      { who: 'another partner', cookie },
      { who: 'a key of another partner', cookie: key.bearer },
      { who: 'nobody', cookie: null },
    ]
    const scene = { office, desk, strangers, report, looksAt: await signatureOf(office, desk.partner.id) }
    await sweepChanges(scene)
    await sweepReads(scene)
    await sweepPos(scene, key.bearer)
    await office.verifyLedger()
  } finally {
    await office.stop()
  }
}

function keyVerbs({ nodes }: { nodes: readonly { key: string; path: string }[] }): string[] {
  const known = new Set(PERMISSION_NODES.map(node => node.key))
  return nodes.filter(({ key, path }) => path !== '' && known.has(key)).map(({ key }) => key)
}

type Scene = {
  office: Office
  desk: Desk
  strangers: readonly Stranger[]
  report: Report
  looksAt: () => Promise<string>
}

/** How many rows each table holds of an agent, and which of them was written last. */
async function signatureOf({ owner }: Office, agentId: number): Promise<() => Promise<string>> {
  const { rows: tables } = await owner.query<{ name: string }>(
    `${TENANT_TABLES.replace(/ order by 1$/, '')} and table_type = 'BASE TABLE' order by 1`,
  )
  const text = tables
    .map(({ name }) => {
      const table = pg.escapeIdentifier(name)
      return `select '${name}' as name, count(*) as rows, max(xmin::text::bigint) as newest from ${table} where agent_id = $1`
    })
    .join(' union all ')
  return async () => {
    const { rows } = await owner.query({ name: 'attack-signature', text, values: [agentId] })
    return rows.map(row => `${row.name} ${row.rows} ${row.newest}`).join('\n')
  }
}

async function sweepChanges({ office, desk, strangers, report, looksAt }: Scene): Promise<void> {
  const changes = changesOf(desk)
  const operations = everyOperation().filter(({ name, changes: does, log }) => (does || log) && changes[name])
  for (const operation of operations) {
    if (report.isOver()) return void report.breach(`left out from ${operation.name} on: the time is over`)
    const prepared = await changes[operation.name]?.accepted()
    if (!prepared) continue
    const isTold = BY_WHAT_IS_SENT.includes(operation.name) || prepared.cookie === null
    if (!isTold && !ENDS_ITSELF.includes(operation.name)) {
      let before = await looksAt()
      for (const { who, cookie } of strangers) {
        const answer = await call(office.app, cookie, operation, prepared.input)
        judge(report, operation, who, answer, [desk.partner.loginName, `代理商${desk.partner.id}`])
        const now = await looksAt()
        if (now !== before) report.breach(`${operation.name} by ${who} changed ${changedIn(before, now)}`)
        before = now
      }
    }
    const own = await call(office.app, prepared.cookie, operation, prepared.input)
    prove(report, operation, own)
  }
}

function changedIn(before: string, now: string): string {
  const stood = new Set(before.split('\n'))
  return now
    .split('\n')
    .filter(line => !stood.has(line))
    .map(line => line.split(' ', 1)[0])
    .join(', ')
}

function prove(report: Report, { name }: Walked, { status, code }: Answered): void {
  report.count('calls')
  report.count('operations')
  if (status === 200) report.count('live')
  else report.breach(`${name} by its owner answered ${status} ${code}: nobody was refused what lives`)
}

function judge(report: Report, { name }: Walked, who: string, answer: Answered, marks: string[]): void {
  report.count('calls')
  if (isBroken(answer.status, answer.code)) report.breach(`${name} by ${who} answered ${answer.status}`)
  if (answer.status === 200) report.count('own')
  else report.count('refused')
  const text = answer.status === 200 ? answer.bytes.toString() : ''
  // A number within a longer one, as an account's in an order's, is another number.
  const holds = (one: string) =>
    /^\d+$/.test(one) ? new RegExp(`(?<!\\d)${one}(?!\\d)`).test(text) : text.includes(one)
  const mark = marks.find(holds)
  if (mark !== undefined) report.breach(`${name} shows ${who} "${mark}"`)
}

async function sweepReads({ office, desk, strangers, report }: Scene): Promise<void> {
  const named: Record<string, Input> = {}
  for (const walk of WALKS)
    for (const [name, input] of Object.entries(walk.reads?.(desk) ?? {})) named[name] = await input()
  const shop = await makeMerchant(office, desk.partner.id)
  await mark(office, desk.partner.id)
  const withoutService: Record<string, string> = Object.assign({}, ...WALKS.map(walk => walk.withoutService))
  for (const operation of everyOperation().filter(one => !one.changes && !one.log)) {
    if (report.isOver()) return void report.breach(`left out from ${operation.name} on: the time is over`)
    const input = named[operation.name] ?? { id: shop, merchantId: shop, search: MARK }
    // Whoever has the code in a link reads what it opens.
    for (const { who, cookie } of operation.permission === 'public' ? [] : strangers) {
      const answer = await call(office.app, cookie, operation, input)
      judge(report, operation, who, { ...answer, bytes: await plain(answer) }, [MARK])
    }
    const own = await call(office.app, desk.operatorCookie, operation, input)
    const isWithout =
      withoutService[operation.name] !== undefined && own.code === withoutService[operation.name]
    if (isWithout) report.count('without_service')
    else prove(report, operation, own)
  }
}

/** Its texts stand in whatever tells of it. */
async function mark({ owner }: Office, agentId: number): Promise<void> {
  for (const statement of [
    'update merchants set shop_name = $2, short_name = $2, person_name = $2, remark = $2, address = $2 where agent_id = $1',
    'update agents set company_name = $2, contact_name = $2 where id = $1',
    'update accounts set name = $2 where agent_id = $1',
  ])
    await owner.query(statement, [agentId, MARK])
}

/** What a workbook says is packed. */
async function plain({ status, bytes, headers }: Answered): Promise<Buffer> {
  if (status !== 200 || !String(headers['content-type']).includes('spreadsheetml')) return bytes
  if (bytes.subarray(0, 2).toString('latin1') !== 'PK') return bytes
  return Buffer.from(JSON.stringify(await readXlsx(bytes)))
}

/** At the door for point-of-sale software: the key of a stranger names the owner's shop, and the owner's key does. */
async function sweepPos({ office, desk, report, looksAt }: Scene, stranger: string): Promise<void> {
  const entries: Record<string, PosAttempt> = Object.assign({}, ...WALKS.map(({ pos }) => pos))
  const verbs = [...new Set(everyPosOperation().map(({ permission }) => permission))]
  const key = await makeKey(
    office,
    desk.partnerCookie,
    verbs.filter(verb => verb !== 'session'),
  )
  await withoutLimit(office, key)
  let accounts = 0
  for (const operation of everyPosOperation()) {
    const shop = await posShop(office, desk.partner.id, ++accounts)
    const freeAccount = () => `1877${String(++accounts).padStart(7, '0')}`
    const entry = entries[operation.name]
    if (!entry) continue
    const input = await entry.as({ office, agentId: desk.partner.id, shop, freeAccount })
    const before = await looksAt()
    for (const [who, bearer] of [
      ['a key of another partner', stranger],
      ['nobody', null],
      ['a session', desk.partnerCookie],
    ] as const) {
      const answer = await call(office.app, bearer, operation, input, { prefix: '/pos' })
      judge(report, operation, `${who} at the door`, answer, [MARK])
    }
    const now = await looksAt()
    if (now !== before)
      report.breach(`${operation.name} at the door by a stranger changed ${changedIn(before, now)}`)
    prove(report, operation, await call(office.app, key.bearer, operation, input, { prefix: '/pos' }))
  }
}

async function posShop(office: Office, agentId: number, nth: number) {
  const account = `1866${String(nth).padStart(7, '0')}`
  const id = await makeMerchant(office, agentId, {
    shop_name: MARK,
    account,
    password_hash: quickHash(PASSWORD),
  })
  await giveSms(office, { agentId, merchantId: id, pieces: 5 })
  return { id, account, revision: 1 }
}
