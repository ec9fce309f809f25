// What B tries with A's ids in the walks of tenancy.test.ts and own-shops.test.ts, and what neither an answer nor a row may show.
import assert from 'node:assert/strict'
import test from 'node:test'
import pg from 'pg'
import readXlsx from 'read-excel-file/node'
import { APP_ROLE } from '#server/postgres/migrate.ts'
import { newMerchantForm } from './make.ts'
import { editOf } from './tenancy-scene.ts'
import { type Answered, call, type Walked } from './walk.ts'
import { type Attempt, byAgent, MARK, own, type Scene, search, theirShop } from './walk-types.ts'
import { WALKS } from './walks.ts'

/** By operation: what B tries with A's ids. */
export const CALLS: Record<string, Attempt[]> = {
  'access.current': [own()],
  'access.rights': [own()],
  'partnerDesk.list': [own(), search(() => MARK), search(({ a }) => a.id)],
  'agents.options': [own(), search(() => MARK), search(({ a }) => a.id)],
  'versions.list': [own()],
  'ledger.wallet': [own()],
  'ledger.changes': [
    own(),
    byAgent,
    search(() => MARK),
    search(({ a }) => a.paidOrder),
    search(({ a }) => a.shops[0]),
    { as: ({ a }) => ({ actorId: a.accountId }), expect: 'own' },
  ],
  'ledger.changeActors': [own()],
  'ledger.credit': [
    {
      as: ({ a }) => ({ agentId: a.id, asset: 'token', amount: 100, reason: '试' }),
      expect: ['AGENT_UNKNOWN'],
    },
  ],
  'merchants.list': [
    own(),
    byAgent,
    search(() => MARK),
    search(({ a }) => a.shops[0]),
    search(() => MARK[0]),
    own({ sort: 'expiresAt', order: 'asc' }),
    own({ sort: 'lastLoginAt', lastLoginDays: 1 }),
    own({ size: 100, status: 'normal' }),
  ],
  'merchants.overdue': [own(), byAgent, search(() => MARK)],
  'merchants.overduePreview': [own()],
  'merchants.find': [search(() => MARK), search(({ a }) => a.shops[0])],
  'merchants.options': [own(), { as: ({ a }) => ({ merchantId: a.shops[0] }), expect: ['NOT_FOUND'] }],
  'selling.quote': [
    {
      as: ({ a }) => newMerchantForm({ managerId: a.accountId }),
      expect: ['MANAGER_UNKNOWN'],
    },
    { as: ({ a }) => newMerchantForm({ account: String(a.shop.account) }), expect: ['ACCOUNT_TAKEN'] },
    { as: () => newMerchantForm({ paymentMethodId: 5 }), expect: ['PAYMENT_METHOD_UNKNOWN'] },
  ],
  'selling.add': [
    { as: ({ a }) => ({ orderNo: a.quotedOrder }), expect: ['QUOTE_UNKNOWN'] },
    { as: ({ a }) => ({ orderNo: a.paidOrder }), expect: ['QUOTE_UNKNOWN'] },
  ],
  'merchants.details': [theirShop()],
  'merchants.edit': [
    { as: ({ a }) => ({ ...editOf(a.shop), remark: '改' }), expect: ['NOT_FOUND'] },
    {
      as: ({ a, b }) => ({ ...editOf(b.details), managerId: a.accountId }),
      expect: ['MANAGER_UNKNOWN', 'FIELD_LOCKED'],
    },
  ],
  'merchants.setSignature': [theirShop({ signature: '改名' })],
  'merchants.setRemark': [theirShop({ remark: '改' })],
  'merchants.enable': [{ as: ({ a }) => ({ id: a.shops[1] }), expect: ['NOT_FOUND'] }],
  'merchants.disable': [theirShop()],
  'merchants.list (file)': [own(), byAgent, search(() => MARK)],
  'merchants.bySource': [
    own({ source: 'backOffice' }),
    byAgent,
    search(() => MARK),
    search(({ a }) => a.shops[0]),
  ],
  'merchants.source (file)': [own(), byAgent, search(() => MARK)],
  'merchants.overdue (file)': [own(), byAgent, search(() => MARK)],
  'agentDesk.secondary': [
    { as: () => ({}), expect: 'empty' },
    byAgent,
    search(() => MARK),
    search(({ a }) => a.shops[0]),
  ],
  'agentDesk.secondary (file)': [byAgent, search(() => MARK)],
  'agentDesk.secondaryAgents': [search(() => MARK), search(({ a }) => a.id)],
  'ledger.changes (file)': [own(), byAgent, search(() => MARK)],
  ...Object.assign({}, ...WALKS.map(walk => walk.attempts)),
}

/** Operations whose leak the walk must catch when both walls are down. */
export const SCOPED: readonly string[] = [
  'partnerDesk.list',
  'agents.options',
  'ledger.changes',
  'ledger.changes (file)',
  'ledger.credit',
  'merchants.list',
  'merchants.list (file)',
  'merchants.overdue',
  'merchants.overduePreview',
  'merchants.find',
  'merchants.details',
  'merchants.edit',
  'merchants.setSignature',
  'merchants.setRemark',
  'merchants.enable',
  'merchants.disable',
  'merchants.bySource',
  'merchants.source (file)',
  'merchants.overdue (file)',
  'agentDesk.secondary',
  'agentDesk.secondary (file)',
  'agentDesk.secondaryAgents',
  ...WALKS.flatMap(walk => walk.scoped),
]

/** Tables with a column; views too, where the app's role may read them: by their owner's rights, which no policy holds back. */
const tablesWith = (column: string) => `select table_name as name
  from information_schema.columns join information_schema.tables using (table_schema, table_name)
  where table_schema = 'public' and column_name = '${column}'
    and (table_type = 'BASE TABLE' or has_table_privilege('${APP_ROLE}', quote_ident(table_name), 'select')) order by 1`

export const TENANT_TABLES = tablesWith('agent_id')
export const SHOP_TABLES = tablesWith('merchant_id')

/** A failed try at A's door is A's to see, whoever it was. */
const AT_THE_DOOR = 'sign_ins'

const LOOKS = new WeakMap<pg.Pool, Promise<string>>()

/** One statement for all tables, and the same for an office from its first look on: it is planned once. */
async function lookAt({ office, isColleague }: Scene): Promise<string> {
  const [known, column, whole] = isColleague
    ? ([SHOP_TABLES, 'merchant_id', 'merchants'] as const)
    : ([TENANT_TABLES, 'agent_id', 'agents'] as const)
  const { rows: tables } = await office.owner.query<{ name: string }>(known)
  const looked = tables.filter(({ name }) => name !== AT_THE_DOOR)
  const parts = looked.map(
    ({ name }) =>
      `select '${name}' as place, t::text as row from ${pg.escapeIdentifier(name)} t where ${column} = any ($1)`,
  )
  return [...parts, `select '${whole}', a::text from ${whole} a where id = any ($1)`].join(' union all ')
}

/** The same try in A's operation log, and where that ends; nothing else of B's may stand there. */
const DOOR = ['signIn.login', 'signIn.resetPassword', 'compatAccess.enter']
const isOfLog = (row: string) => /^operation_log\w* /.test(row)
const isAtTheDoor = ({ name }: Walked) => DOOR.includes(name)

/** All rows of A, or of a colleague's shops, as text, a line each. Failed logins and logs of others are not among them. */
async function rowsOf(scene: Scene): Promise<string[]> {
  const { owner } = scene.office
  const look = LOOKS.get(owner) ?? lookAt(scene)
  LOOKS.set(owner, look)
  const { rows } = await owner.query<{ place: string; row: string }>({
    name: 'rows-of-another',
    text: `select place, row from (${await look}) as found (place, row) order by 1, 2`,
    values: [scene.isColleague ? scene.a.shops : [scene.a.id]],
  })
  return rows.map(({ place, row }) => `${place} ${row}`)
}

/** A number within a longer one, as an account's in an order's, is another number. */
function holds(answer: string, text: string): boolean {
  return /^\d+$/.test(text) ? new RegExp(`(?<!\\d)${text}(?!\\d)`).test(answer) : answer.includes(text)
}

/** Where an answer holds something of A's; null when it does not. */
export function leakIn(answer: unknown, scene: Scene, path = ''): string | null {
  const { a, isColleague } = scene
  if (typeof answer === 'string') {
    const people = isColleague ? [] : [a.loginName, a.sub.loginName]
    const texts = [MARK, ...people, a.paidOrder, a.quotedOrder, String(a.shop.account)]
    return texts.some(text => holds(answer, text)) ? `${path} is ${answer}` : null
  }
  if (typeof answer === 'number') {
    if (a.shops.includes(answer)) return `${path} is A's shop ${answer}`
    const isAgent = !isColleague && /agentId$|^rows\.\d+\.id$/.test(path) && answer === a.id
    return isAgent ? `${path} is A's id` : null
  }
  if (answer === null || typeof answer !== 'object') return null
  // What was asked for and is not there is told by the number that was sent.
  if ('refusal' in answer && answer.refusal === 'SHOP_UNKNOWN' && 'merchantId' in answer) {
    const { merchantId: _asked, ...told } = answer
    return leakIn(told, scene, path)
  }
  for (const [key, value] of Object.entries(answer)) {
    const leak = leakIn(value, scene, path ? `${path}.${key}` : key)
    if (leak) return leak
  }
  return null
}

async function presented(answer: Answered, operation: Walked): Promise<unknown> {
  if (!operation.isDownload || answer.status !== 200) return answer.body
  if (!String(answer.headers['content-type']).includes('spreadsheetml')) return answer.body
  const sheets = (await readXlsx(answer.bytes)) as unknown as { data?: unknown[][] }[]
  return sheets[0]?.data ?? sheets
}

/** B's try, and that its answer tells of no more than it may. */
async function attempt(scene: Scene, operation: Walked, { as, expect }: Attempt): Promise<void> {
  const { office, b } = scene
  const input = as(scene)
  const where = `${operation.name} ${JSON.stringify(input)}`
  const cookie = operation.name === 'signIn.logout' ? await office.login(b.loginName) : scene.cookieB
  const answer = await call(office.app, cookie, operation, input)
  const body = await presented(answer, operation)
  if (Array.isArray(expect))
    assert.ok(expect.includes(answer.code ?? ''), `${where} answered ${answer.status} ${answer.code}`)
  else {
    assert.equal(answer.status, 200, `${where} answered ${answer.status} ${answer.code} ${answer.message}`)
    if (expect === 'empty') {
      const rows = operation.isDownload ? (body as unknown[]).slice(1) : (body as { rows: unknown[] }).rows
      assert.deepEqual(rows, [], `${where} answered rows`)
      const total = (body as { total?: number }).total
      assert.ok(total === undefined || total === 0, `${where} counted ${total} rows of another agent`)
    }
  }
  assert.equal(leakIn(body, scene), null, `${where} let something of A's out`)
}

/** The same, and that A's rows stand as they stood before it. */
async function attemptAlone(scene: Scene, operation: Walked, one: Attempt): Promise<void> {
  const look = async () => {
    const rows = await rowsOf(scene)
    return isAtTheDoor(operation) ? rows.filter(row => !isOfLog(row)) : rows
  }
  const before = await look()
  await attempt(scene, operation, one)
  assertUntouched(await look(), before, operation.name)
}

function assertUntouched(rows: string[], before: string[], by: string): void {
  const stands = new Set(rows)
  const stood = new Set(before)
  const gone = before.filter(row => !stands.has(row)).map(row => `- ${row}`)
  const come = rows.filter(row => !stood.has(row)).map(row => `+ ${row}`)
  assert.equal([...gone, ...come].join('\n'), '', `${by} changed rows of A`)
}

type Tries = {
  operations: readonly Walked[]
  callsOf: (operation: Walked) => readonly Attempt[]
  scene: () => Scene
  /** The scene as it was, where they are tried one by one once they have changed something together. */
  again: () => Promise<Scene>
  /** What is another's, in the words of the tests. */
  theirs: string
}

/** Their words are drawn, and read by none of these walks: that they answer is seen once, behind the first of the walls. */
const drawn = new Set<string>()
function isDrawnAgain({ name, path }: Walked, { expect }: Attempt, theirs: string): boolean {
  if (!path.endsWith('.pdf') || expect !== 'own') return false
  const one = `${name} beside ${theirs}`
  const isAgain = drawn.has(one)
  drawn.add(one)
  return isAgain
}

/** A test for what each operation answers to B, and one for A's rows, which are looked at once for all of them. */
export function testTries({ operations, callsOf, scene, again, theirs }: Tries): void {
  const [door, others] = [operations.filter(isAtTheDoor), operations.filter(one => !isAtTheDoor(one))]
  for (const operation of door)
    test(`${operation.name} neither shows nor changes ${theirs}`, async () => {
      for (const one of callsOf(operation)) await attemptAlone(scene(), operation, one)
    })
  let before: string[] | null = null
  for (const operation of others)
    test(`${operation.name} does not show ${theirs}`, async () => {
      before ??= await rowsOf(scene())
      for (const one of callsOf(operation))
        if (!isDrawnAgain(operation, one, theirs)) await attempt(scene(), operation, one)
    })
  test(`none of them changes ${theirs}`, async () => {
    if (!before) return
    try {
      assertUntouched(await rowsOf(scene()), before, 'one of them')
    } catch (error) {
      const fresh = await again()
      const found = await changersAmong(others, callsOf, fresh).finally(() => fresh.office.stop())
      throw found.length > 0 ? new assert.AssertionError({ message: found.join('\n') }) : error
    }
  })
}

async function changersAmong(
  operations: readonly Walked[],
  callsOf: Tries['callsOf'],
  scene: Scene,
): Promise<string[]> {
  const found: string[] = []
  for (const operation of operations)
    for (const one of callsOf(operation))
      await attemptAlone(scene, operation, one).catch((error: Error) => found.push(error.message))
  return found
}

/** Fails unless one of the tries gets through to A's rows. What reads changes none: test/every-change.test.ts. */
export function assertCaught(scene: Scene, operation: Walked, calls: readonly Attempt[]): Promise<void> {
  const walk = async () => {
    for (const one of calls) await (operation.changes ? attemptAlone : attempt)(scene, operation, one)
  }
  return assert.rejects(walk(), assert.AssertionError)
}
