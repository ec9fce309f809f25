// Walks everything that can be called: who may call it, what is said to those who may not, and what each declares.
import assert from 'node:assert/strict'
import test, { after, before } from 'node:test'
import { contract, PERMISSION_NODES, posContract } from '#app/joined.ts'
import { ROUTE_PAGES } from '#app/route-pages.ts'
import { COMMON_REFUSALS, listOps } from '#kit/declare/op.ts'
import { callBy, refusalBy } from './admission.ts'
import { type Office, openOffice } from './app.ts'
import { type MadeAgent, makeAccount, makeAgent } from './make.ts'
import { call, everyOperation, everyPosOperation, soon, type Walked } from './walk.ts'
import { WALKS } from './walks.ts'

const OPERATIONS = everyOperation()
const PUBLIC = [
  'captcha.challenge',
  'captcha.solve',
  'captcha.prove',
  'consultations.submit',
  'ownerPapers.page',
  'ownerPapers.sendCode',
  'ownerPapers.enter',
  'ownerPapers.save',
  'ownerPapers.sendPart',
  'ownerPapers.keepPicture',
  'ownerPapers.read',
  'ownerPapers.submit',
  'programFlow.ownerPage',
  'programFlow.ownerBegin',
  'programFlow.ownerReturned',
  'partnerApplications.sendCode',
  'partnerApplications.submit',
  'partners.accept',
  'partners.invitation',
  'payments.cashier',
  'payments.cashierAttempt',
  'payments.cashierInApp',
  'deposits.page',
  'deposits.pay',
  'shopPages.page',
  'shopPages.sendCode',
  'shopPages.signIn',
  'shopPages.signOut',
  'shopPages.account',
  'shopPages.renew',
  'shopPages.renewal',
  'regions.changes',
  'compatAccess.enter',
  'signIn.login',
  'signIn.prove',
  'signIn.passkeyOptions',
  'signIn.passkey',
  'signIn.sendResetCode',
  'signIn.resetPassword',
]
/** What every signed-in account may do, whatever its role. */
const SESSION_ONLY = [
  'access.current',
  'access.rights',
  'versions.list',
  'merchants.options',
  ...WALKS.flatMap(walk => walk.sessionOnly),
]
/** Pages of every signed-in account that no menu names. */
const SESSION_PAGES = [
  '/admin/inbox',
  '/admin/account/exports',
  '/admin/account/changePassword',
  '/admin/account/notices',
  '/admin/help/problem',
  '/admin/help/downloads',
  '/admin/account/security',
  '/admin/order/$orderNo',
]
/** Operations that move money or credit; every-change.test.ts watches the ledger for one that is missing here. */
const MOVES_MONEY = ['selling.add', 'ledger.credit', ...WALKS.flatMap(walk => walk.movesMoney)]

const NODES = new Map(PERMISSION_NODES.map(node => [node.key, node]))
const guarded = OPERATIONS.filter(({ permission }) => permission !== 'public' && permission !== 'session')

let office: Office
let operator: MadeAgent
let sub: { loginName: string; cookie: string }

before(async () => {
  office = await openOffice()
  operator = await makeAgent(office, { operator: true })
  const { loginName } = await makeAccount(office, operator.id, { nodeIds: [] })
  sub = { loginName, cookie: await office.login(loginName) }
})
after(() => office.stop())

/** The role of the operator's sub-user holds exactly these nodes from here on. */
async function hold(nodeIds: number[]): Promise<void> {
  await office.owner.query(
    'update roles set node_ids = $2 where id = (select role_id from accounts where login_name = $1)',
    [sub.loginName, nodeIds],
  )
  office.app.services.forgetActors()
}

/** What is guarded by each node, so that a role changes once for all of it. */
const byNode = () => Object.values(Object.groupBy(guarded, ({ permission }) => permission)) as Walked[][]

const nodeIdOf = (operation: Walked) => (NODES.get(operation.permission) as { id: number }).id

test('every operation names a permission of the tree, or stands in the short lists of this file', () => {
  assert.ok(OPERATIONS.length >= 25, 'the walk finds the contract')
  for (const { name, permission } of OPERATIONS) {
    if (permission === 'public') assert.ok(PUBLIC.includes(name), `${name} is public without being listed`)
    else if (permission === 'session')
      assert.ok(SESSION_ONLY.includes(name), `${name} needs no permission without being listed`)
    else assert.ok(NODES.has(permission), `${name} names ${permission}, which is no node of the tree`)
  }
  for (const name of [...PUBLIC, ...SESSION_ONLY, ...MOVES_MONEY])
    assert.ok(
      OPERATIONS.some(operation => operation.name === name),
      `${name} is listed here and does not exist`,
    )
})

test('every node of the tree that is no group, page or profile guards an operation or a page', () => {
  const used = new Set([...OPERATIONS, ...everyPosOperation()].map(operation => operation.permission))
  for (const node of PERMISSION_NODES) {
    const isAction = node.path.includes('#')
    if (isAction) assert.ok(used.has(node.key), `${node.key} is an action that nothing asks for`)
  }
})

test('every change has a log title, and no reading operation has one or asks for a key', () => {
  for (const { name, method, log, idempotent, ephemeral, isDownload } of OPERATIONS)
    if (isDownload) assert.ok(log, `${name} has no log title`)
    else if (method === 'GET')
      assert.ok(!log && !idempotent, `${name} is a GET that claims to change something`)
    else if (ephemeral) assert.ok(!log && !idempotent, `${name} says that it leaves nothing`)
    else assert.ok(log && log.trim().length > 1, `${name} changes something and has no log title`)
})

test('every operation that moves money takes an idempotency key', () => {
  const idempotent = OPERATIONS.filter(operation => operation.idempotent).map(operation => operation.name)
  for (const name of MOVES_MONEY) assert.ok(idempotent.includes(name), `${name} takes no key`)
})

test('every operation has its own route, and says what it is for', () => {
  const routes = OPERATIONS.map(({ method, path }) => `${method} ${path.replace(/\{\w+\}/g, '{}')}`)
  assert.equal(new Set(routes).size, routes.length)
  for (const { name, op } of [...listOps(contract), ...listOps(posContract)])
    assert.ok(op['~orpc'].route.summary, `${name} has no summary for the API description`)
})

test('without the permission everything is refused alike, whatever the input, by the owner of all other nodes', async () => {
  const all = PERMISSION_NODES.map(node => node.id)
  for (const operations of byNode()) {
    const node = nodeIdOf(operations[0] as Walked)
    await hold(all.filter(id => id !== node))
    for (const operation of operations) {
      // Its input does not fit, which whoever may not call it is not told.
      const answer = await call(office.app, sub.cookie, operation, { id: 'nonsense', agentId: 'nonsense' })
      assert.deepEqual(
        [answer.status, answer.code, answer.message],
        [403, 'FORBIDDEN', COMMON_REFUSALS.FORBIDDEN],
        operation.name,
      )
    }
  }
  assert.equal(COMMON_REFUSALS.FORBIDDEN, '您没有操作权限!')
})

test('with exactly its permission an operation is past the guard', async () => {
  for (const operations of byNode()) {
    await hold([nodeIdOf(operations[0] as Walked)])
    for (const operation of operations) {
      const answer = await call(office.app, sub.cookie, operation)
      assert.ok(
        answer.status < 500 && answer.code !== 'FORBIDDEN' && answer.code !== 'UNAUTHENTICATED',
        `${operation.name} answered ${answer.status} ${answer.code}`,
      )
    }
  }
})

test('a disabled role holds nothing, and a role holds nothing that its agent cannot', async () => {
  const all = PERMISSION_NODES.map(node => node.id)
  await hold(all)
  const { loginName, cookie } = sub
  const list = OPERATIONS.find(({ name }) => name === 'merchants.list') as Walked
  assert.equal((await call(office.app, cookie, list)).status, 200)
  await office.owner.query(
    'update roles set enabled = false where id = (select role_id from accounts where login_name = $1)',
    [loginName],
  )
  assert.ok(await soon(async () => (await call(office.app, cookie, list)).code === 'FORBIDDEN'))
  const partner = await makeAgent(office)
  const theirs = await makeAccount(office, partner.id, { nodeIds: all })
  const subCookie = await office.login(theirs.loginName)
  for (const operation of guarded) {
    const marker = NODES.get(operation.permission)?.marker
    const refusal = await refusalBy(operation, callBy(office.app.services, subCookie))
    assert.equal(refusal, marker === '1' ? null : 'FORBIDDEN', `${operation.name} of a node marked ${marker}`)
  }
})

test('every page asks for the node of its own path or of the page it is under, and every page of the menu exists', () => {
  for (const { path, permission, under } of ROUTE_PAGES)
    if (permission === 'session') assert.ok(SESSION_PAGES.includes(path), `${path} needs no permission`)
    else {
      const [page] = NODES.get(permission)?.path.split('#') ?? []
      assert.ok(page === path || page === under, `the page ${path} names ${permission}`)
    }
  const pages = new Set<string>(ROUTE_PAGES.map(({ path }) => path))
  for (const { path, inMenu, key } of PERMISSION_NODES)
    if (inMenu && path !== '') assert.ok(pages.has(path), `the menu shows ${key}, and ${path} is no page`)
})
