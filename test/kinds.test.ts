// One table: every operation and download, called by every kind of account, answers as its contract declares. A kind is a row;
// with its wall taken away the table fails. The guard is asked without a call, and over HTTP by nobody everywhere and by each kind
// once at each kind of door and for each of its answers. What is another's is asked for by the walks of the two other kinds: foreign agents in
// tenancy.test.ts, colleagues who see their own shops alone in own-shops.test.ts, with each of their two walls taken away.
import assert from 'node:assert/strict'
import test, { after, before, describe } from 'node:test'
import { downloadHandlers, PERMISSION_NODES, reachOfKeys } from '#app/joined.ts'
import { HOME_NODE_ID } from '#features/office/access/rules.ts'
import { type Actor, NO_FACTOR, type Services } from '#server/ctx.ts'
import { callBy, refusalBy } from './admission.ts'
import { type Office, openOffice } from './app.ts'
import { type MadeAgent, makeAccount, makeAgent } from './make.ts'
import { makeKey, withoutLimit } from './make-api-keys.ts'
import { call, everyOperation, soon, type Walked } from './walk.ts'

const OPERATIONS = everyOperation()
const ALL_NODES = PERMISSION_NODES.map(({ id }) => id)
const HOME = PERMISSION_NODES.find(({ id }) => id === HOME_NODE_ID)?.key
/** What only who may not pass is told. */
const GUARDS = [
  ...['KEY_INVALID', 'KEY_CLOSED', 'KEY_STEP_UP', 'KEY_THROTTLED', 'KEY_HELD', 'KEY_ADDRESS', 'KEY_MIXED'],
  'UNAUTHENTICATED',
  'FORBIDDEN',
  'VIEW_ONLY',
  'VIEW_ENDED',
  'AGENT_SUSPENDED',
  'FACTOR_REQUIRED',
  'ENROLMENT_REQUIRED',
]

/** What a key can hold. */
const VERBS = PERMISSION_NODES.map(({ key }) => key).filter(key => {
  const { reads, files, deeds } = reachOfKeys(key)
  return reads || files || deeds.length > 0
})
const ONE_VERB = 'orders.list'

type Kind = {
  /** Signs in as one of this kind: a cookie, or a key. */
  cookie(): Promise<string | null>
  /** With which code the operation is refused to this kind; null: it is past the guard. */
  refusal(operation: Walked): string | null
  /** What the guard would know of the account if this kind's wall were not there, or the wall's name; null where it is asked for nobody. */
  without: ((actor: Actor | null) => Actor | null) | 'keys' | null
  /** Of its refusals the one that is this wall's, where there are several. */
  held?: string
}

let office: Office
let operator: MadeAgent
let someone: Actor
/** A program with a key of the operator. */
let program: Actor

const sub = (nodeIds: number[]) => makeAccount(office, operator.id, { nodeIds })

/** Whatever a key holds. */
function closedToKeys({ forKeys, stepUp }: Walked): string | null {
  if (!forKeys) return 'KEY_CLOSED'
  return stepUp ? 'KEY_STEP_UP' : null
}

const KINDS: Record<string, Kind> = {
  anonymous: {
    cookie: async () => null,
    refusal: ({ permission }) => (permission === 'public' ? null : 'UNAUTHENTICATED'),
    without: null,
  },
  'somebody with a session that is none': {
    cookie: async () => `session=${'A'.repeat(43)}`,
    refusal: ({ permission }) => (permission === 'public' ? null : 'UNAUTHENTICATED'),
    without: () => someone,
  },
  'a sub-user with nothing': {
    cookie: async () => office.login((await sub([])).loginName),
    refusal: ({ permission }) => (['public', 'session', HOME].includes(permission) ? null : 'FORBIDDEN'),
    without: actor => actor && { ...actor, permissions: someone.permissions },
  },
  'somebody who looks through another’s account': {
    async cookie() {
      const own = await office.login(operator.loginName)
      const { accountId } = await sub(ALL_NODES)
      const look = OPERATIONS.find(({ name }) => name === 'viewAs.staff') as Walked
      const { headers } = await call(office.app, own, look, { id: accountId })
      const view = [headers['set-cookie']].flat().find(cookie => String(cookie).startsWith('view='))
      return `${own}; ${String(view).split(';', 1)[0]}`
    },
    refusal: ({ permission, changes, isDownload, whileViewing }) =>
      permission !== 'public' && (changes || isDownload) && !whileViewing ? 'VIEW_ONLY' : null,
    without: actor => actor && { ...actor, viewer: null },
  },
  'somebody of a suspended agency': {
    async cookie() {
      const { id } = await suspendedOperator()
      const { loginName } = await makeAccount(office, id, { nodeIds: ALL_NODES })
      return office.login(loginName)
    },
    refusal: ({ permission, changes, whileSuspended }) =>
      permission !== 'public' && changes && !whileSuspended ? 'AGENT_SUSPENDED' : null,
    without: actor => actor && { ...actor, suspendedFor: null },
  },
  'a key of a suspended agency': {
    async cookie() {
      const { id } = await makeAgent(office, { operator: true })
      const { loginName } = await makeAccount(office, id, { nodeIds: ALL_NODES })
      const key = await makeKey(office, await office.login(loginName), VERBS)
      await withoutLimit(office, key)
      await suspend(id)
      return key.bearer
    },
    refusal: operation => closedToKeys(operation) ?? (operation.changes ? 'AGENT_SUSPENDED' : null),
    held: 'AGENT_SUSPENDED',
    without: actor => actor && { ...actor, suspendedFor: null },
  },
  'a session that has not proven its factor': {
    async cookie() {
      const { loginName, accountId } = await sub(ALL_NODES)
      // Signed in before there was one.
      const cookie = await office.login(loginName)
      await office.owner.query(
        `insert into factor_totps (account_id, agent_id, secret, last_step, created_at) values ($1, $2, '', 0, now())`,
        [accountId, operator.id],
      )
      assert.ok(await soon(async () => (await office.as(cookie).access.current()).factor.has))
      return cookie
    },
    refusal: ({ stepUp }) => (stepUp ? 'FACTOR_REQUIRED' : null),
    without: actor => actor && { ...actor, factor: NO_FACTOR },
  },
  'a program with a key that is none': {
    cookie: async () => `Bearer pok_${'A'.repeat(43)}`,
    refusal: () => 'KEY_INVALID',
    without: () => program,
  },
  'a key without the verb': {
    cookie: () => keyWith([ONE_VERB]),
    refusal: operation => {
      const refusal = closedToKeys(operation)
      if (refusal) return refusal
      return ['session', ONE_VERB].includes(operation.permission) ? null : 'FORBIDDEN'
    },
    held: 'FORBIDDEN',
    without: actor => actor && { ...actor, permissions: someone.permissions },
  },
  'a key with every verb': {
    cookie: () => keyWith(VERBS),
    refusal: closedToKeys,
    without: 'keys',
  },
  'a session without a factor that has not given its password of late': {
    async cookie() {
      const { loginName, accountId } = await sub(ALL_NODES)
      const cookie = await office.login(loginName)
      await office.owner.query(
        'delete from factor_proofs where session_id in (select id from sessions where account_id = $1)',
        [accountId],
      )
      return cookie
    },
    refusal: ({ stepUp }) => (stepUp === 'always' ? 'FACTOR_REQUIRED' : null),
    // What is known of the account is no wall here: test/step-up.test.ts takes it away.
    without: null,
  },
}

const suspend = (id: number) =>
  office.owner.query(`update agents set status = 'suspended', suspended_for = '试' where id = $1`, [id])

let suspended: Promise<MadeAgent> | undefined
function suspendedOperator(): Promise<MadeAgent> {
  suspended ??= (async () => {
    const agent = await makeAgent(office, { operator: true })
    await suspend(agent.id)
    return agent
  })()
  return suspended
}

/** A key of a sub-user who may do everything, with these verbs. */
function keyWith(verbs: readonly string[]): Promise<string> {
  const known = keys.get(verbs.join())
  if (known) return known
  const made = (async () => {
    const cookie = await office.login((await sub(ALL_NODES)).loginName)
    const key = await makeKey(office, cookie, verbs)
    await withoutLimit(office, key)
    return key.bearer
  })()
  keys.set(verbs.join(), made)
  return made
}
const keys = new Map<string, Promise<string>>()

before(async () => {
  office = await openOffice()
  operator = await makeAgent(office, { operator: true })
  const cookie = await office.login(operator.loginName)
  const actor = await office.app.services.actorOf(cookie.replace('session=', ''))
  assert.ok(actor)
  someone = actor
  const key = await makeKey(office, cookie, [ONE_VERB])
  await withoutLimit(office, key)
  const byKey = await office.app.services.keyOf(key.token)
  assert.ok(byKey)
  program = byKey
})
after(() => office.stop())

/** How a call comes to the guard. */
function doorOf({ path, isDownload, isLarge, changes }: Walked): string {
  if (isLarge) return 'a large input'
  if (!isDownload) return changes ? 'a change' : 'a reading'
  const handler = downloadHandlers.find(({ download }) => download.path === path)
  if (handler && 'find' in handler) return 'a file that lies ready'
  return handler && 'paper' in handler ? 'a PDF' : 'a list'
}

/** A session that was ended by the call is no use to the next one. */
const ENDS = /^(signIn\.|viewAs\.end$)/

/** Of each door the first operation that a kind is refused at so. */
function samplesOf(kind: Kind): Walked[] {
  const samples = new Map<string, Walked>()
  for (const operation of OPERATIONS) {
    const answer = `${doorOf(operation)} ${kind.refusal(operation)} ${operation.permission === 'public'}`
    if (!ENDS.test(operation.name) && !samples.has(answer)) samples.set(answer, operation)
  }
  return [...samples.values()]
}

async function assertAnswered(cookie: string | null, operation: Walked, wanted: string | null) {
  const answer = await call(office.app, cookie, operation)
  const told = `${operation.name} answered ${answer.status} ${answer.code}`
  assert.ok(answer.status < 500, told)
  if (wanted === null) assert.ok(!GUARDS.includes(answer.code ?? ''), told)
  else assert.equal(answer.code, wanted, told)
}

test('people of a suspended agency may change what is declared for them, and no more', () => {
  const open = OPERATIONS.filter(({ changes, whileSuspended }) => changes && whileSuspended)
  const ofOneself =
    /^(notices\.(read|setPreferences)|viewAs\.(staff|end)|factors\.(?!setRules)|signIn\.(logout|end|changePassword)|payments\.check|views\.|exports\.|feedback\.submit|threads\.(read|here)|workOrders\.(read|here)|help\.(opened|vote))/
  assert.ok(open.length > 20)
  for (const { name } of open) assert.match(name, ofOneself)
})

test('every operation and download is behind its guard: nobody gets to one that is not public', async () => {
  const { refusal } = KINDS.anonymous as Kind
  for (const operation of OPERATIONS) await assertAnswered(null, operation, refusal(operation))
})

for (const [name, kind] of Object.entries(KINDS))
  describe(name, () => {
    let cookie: string | null
    before(async () => {
      cookie = await kind.cookie()
    })

    test('is let in to every operation as declared, and refused as declared', async () => {
      for (const operation of OPERATIONS) {
        const refusal = await refusalBy(operation, callBy(office.app.services, cookie))
        assert.equal(refusal, kind.refusal(operation), operation.name)
      }
    })

    test('is answered so at every door', async () => {
      const samples = samplesOf(kind)
      assert.ok(new Set(samples.map(doorOf)).size === 6, 'it comes to every kind of door')
      for (const operation of samples) await assertAnswered(cookie, operation, kind.refusal(operation))
    })

    const { without } = kind
    if (without === null) return
    test('is let through by every operation that refuses it, once its wall is taken away', async () => {
      const { services } = office.app
      const open: Services =
        without === 'keys'
          ? { ...services, walls: { ...services.walls, keys: false } }
          : {
              ...services,
              actorOf: async token => without(await services.actorOf(token)),
              keyOf: async token => without(await services.keyOf(token)),
            }
      const isHeld = (code: string | null) => code !== null && (kind.held ?? code) === code
      const refusing = OPERATIONS.filter(operation => isHeld(kind.refusal(operation)))
      assert.ok(refusing.length > 0)
      for (const operation of refusing)
        assert.notEqual(
          await refusalBy(operation, callBy(open, cookie)),
          kind.refusal(operation),
          operation.name,
        )
    })
  })
