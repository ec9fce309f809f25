// Roles and people of an agency: what they may do from the moment it is changed, what nobody can give or take, what is kept.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import test, { after, before, beforeEach } from 'node:test'
import readXlsx from 'read-excel-file/node'
import { type Client, type Office, PASSWORD as OWN_PASSWORD, openOffice, refusalOf } from '#test/app.ts'
import { type MadeAgent, makeAccount, makeAgent, makeMerchant, makeMerchants } from '#test/make.ts'
import { firstSignIn, forgetProofs, makeTotp } from '#test/make-factors.ts'
import { call, soon } from '#test/walk.ts'

const PASSWORD = 'secret-2027'
const PERSON = {
  name: '王小明',
  mobile: '13800001111',
  wechat: 'xm',
  remark: '',
  dataScope: 'all',
  portraitId: null,
} as const

let office: Office
let agent: MadeAgent
let me: Client
let made = 0
before(async () => {
  office = await openOffice()
})
after(() => office.stop())
beforeEach(async () => {
  agent = await makeAgent(office, { tokens: 100 })
  me = office.as(await office.login(agent.loginName))
})

const fresh = () => String(52_000_000 + ++made)
async function roleWith(nodeIds: number[], who = me, name = fresh()): Promise<number> {
  const { id } = await who.team.addRole({ name, remark: '' })
  if (nodeIds.length > 0) await who.team.setRights({ id, nodeIds })
  return id
}
async function personWith(nodeIds: number[], who = me) {
  const roleId = await roleWith(nodeIds, who)
  const form = { ...PERSON, loginName: fresh(), roleId }
  const { id } = await who.team.addPerson({ ...form, password: PASSWORD })
  return {
    id,
    roleId,
    form,
    signIn: async () => office.as(await firstSignIn(office, form.loginName, PASSWORD)),
  }
}
const log = async () =>
  (
    await office.owner.query<{
      title: string
      subject: string
      changes: { name: string; before: string | null; after: string | null }[]
    }>('select title, subject, changes from operation_logs where agent_id = $1 order by id desc limit 1', [
      agent.id,
    ])
  ).rows[0]

test('an owner makes a role and a person, who sees that menu and no more', async () => {
  const { signIn } = await personWith([22, 221, 412])
  const them = await signIn()
  const { permissions, menu, userType } = await them.access.current()
  assert.deepEqual(permissions.sort(), [
    'home',
    'ledger.changes',
    'ledger.wallet',
    'merchants.edit',
    'merchants.list',
  ])
  assert.deepEqual(
    menu.flatMap(({ children, path }) => (children.length > 0 ? children.map(child => child.path) : path)),
    ['/admin/index', '/admin/merchant/myMerchant', '/admin/detail/personalDetails'],
  )
  assert.equal(userType, 1)
  assert.equal(await refusalOf(them.team.roles({})), 'FORBIDDEN')
  assert.equal(await refusalOf(them.team.staff({})), 'FORBIDDEN')
})

test('a right that is taken is refused at the next call, in the session that is open, and the log names it', async () => {
  const { roleId, signIn } = await personWith([22, 221])
  const them = await signIn()
  assert.equal((await them.merchants.list({})).total, 0)
  assert.deepEqual(await me.team.setRights({ id: roleId, nodeIds: [41] }), { given: 1, taken: 2 })
  assert.deepEqual((await log())?.changes, [
    { name: '新增权限', before: null, after: '余额变动' },
    { name: '收回权限', before: '我的商户、编辑商户', after: null },
  ])
  await assert.doesNotReject(async () => {
    for (let i = 0; i < 50 && (await refusalOf(them.merchants.list({}))) === 'accepted'; i++)
      await new Promise(resolve => setTimeout(resolve, 20))
  })
  assert.equal(await refusalOf(them.merchants.list({})), 'FORBIDDEN')
  assert.equal((await them.ledger.changes({})).total, 1)
})

test('another role or a disabled one changes what the open session may do; a new password and disabling end it', async () => {
  const { id, form, roleId, signIn } = await personWith([22])
  const them = await signIn()
  const other = await roleWith([41])
  const may = async () => (await them.access.current()).permissions.sort()
  await me.team.editPerson({ ...form, id, roleId: other })
  const holds = async (wanted: string[]) => {
    for (let i = 0; i < 50 && String(await may()) !== String(wanted); i++)
      await new Promise(resolve => setTimeout(resolve, 20))
    assert.deepEqual(await may(), wanted)
  }
  await holds(['home', 'ledger.changes'])
  await me.team.switchRole({ id: other, enabled: false })
  await holds(['home'])
  assert.equal(await refusalOf(me.team.editPerson({ ...form, id, roleId })), 'accepted')
  assert.equal(await refusalOf(me.team.editPerson({ ...form, id, roleId: other })), 'ROLE_DISABLED')
  await me.team.resetPassword({ id, password: 'third-2027' })
  assert.ok(await soon(async () => (await refusalOf(them.access.current())) === 'UNAUTHENTICATED'))
  assert.ok(!JSON.stringify(await log()).includes('third-2027'))
  const again = office.as(await firstSignIn(office, form.loginName, 'third-2027'))
  assert.deepEqual(await me.team.endSessions({ id }), { ended: 1 })
  assert.ok(await soon(async () => (await refusalOf(again.access.current())) === 'UNAUTHENTICATED'))
  await me.team.switchPerson({ id, enabled: false })
  await assert.rejects(office.login(form.loginName, 'third-2027-own'))
})

test('nobody grants what they do not hold: not by a role, nor by giving one, nor by changing who holds more', async () => {
  const big = await personWith([22, 221, 41])
  const chief = await personWith([22, 57, 571, 572, 58, 581, 582, 583, 584])
  const them = await chief.signIn()
  const own = await roleWith([], them)
  assert.equal(await refusalOf(them.team.setRights({ id: own, nodeIds: [41] })), 'GRANT_BEYOND')
  assert.equal(await refusalOf(them.team.setRights({ id: own, nodeIds: [22] })), 'accepted')
  assert.equal(await refusalOf(them.team.setRights({ id: big.roleId, nodeIds: [22] })), 'ROLE_BEYOND')
  assert.equal(await refusalOf(them.team.switchRole({ id: big.roleId, enabled: false })), 'ROLE_BEYOND')
  const form = { ...PERSON, loginName: fresh(), password: PASSWORD }
  assert.equal(await refusalOf(them.team.addPerson({ ...form, roleId: big.roleId })), 'ROLE_GRANT')
  assert.equal(await refusalOf(them.team.addPerson({ ...form, roleId: own })), 'accepted')
  for (const call of [
    () => them.team.resetPassword({ id: big.id, password: PASSWORD }),
    () => them.team.endSessions({ id: big.id }),
    () => them.team.deletePerson({ id: big.id }),
    () => them.team.editPerson({ ...big.form, id: big.id, remark: '改' }),
  ])
    assert.equal(await refusalOf(call()), 'STAFF_BEYOND')
  const owner = { ...PERSON, loginName: agent.loginName, roleId: null }
  assert.equal(await refusalOf(them.team.editPerson({ ...owner, id: agent.accountId })), 'OWNER_ONLY')
  assert.equal(
    await refusalOf(them.team.resetPassword({ id: agent.accountId, password: PASSWORD })),
    'OWNER_ONLY',
  )
  const moved = { ...chief.form, id: chief.id, roleId: own }
  assert.equal(await refusalOf(them.team.editPerson(moved)), 'SELF_ROLE')
  assert.equal(await refusalOf(them.team.deleteRole({ id: chief.roleId })), 'ROLE_OWN')
  assert.equal(await refusalOf(them.team.deletePerson({ id: chief.id })), 'SELF_ENDED')
  const { nodes } = await them.team.tree()
  assert.deepEqual(
    nodes.filter(({ path }) => path !== '').map(({ key }) => key),
    [
      'home',
      'merchants.list',
      ...['roles', 'editRoles', 'grant', 'staff', 'editStaff', 'endStaff', 'secureStaff', 'exportStaff'].map(
        key => `team.${key}`,
      ),
    ],
  )
  const { rows } = await them.team.staff({ size: 100 })
  assert.deepEqual(
    rows.filter(row => row.isBeyond).map(({ id }) => id),
    [big.id],
  )
})

test('what an agency cannot hold is in no tree of its, also where a role names it', async () => {
  const role = await roleWith([22])
  assert.equal(await refusalOf(me.team.setRights({ id: role, nodeIds: [71] })), 'GRANT_BEYOND')
  assert.equal(await refusalOf(me.team.whoCan({ id: 71 })), 'NOT_FOUND')
  const { nodes } = await me.team.tree()
  assert.ok(!nodes.some(({ key }) => key === 'ledger.credit' || key === 'aftersales.cancel'))
})

test('an owner is no row to end for oneself; two owners can end each other but one', async () => {
  assert.equal(await refusalOf(me.team.switchPerson({ id: agent.accountId, enabled: false })), 'SELF_ENDED')
  assert.equal(await refusalOf(me.team.deletePerson({ id: agent.accountId })), 'SELF_ENDED')
  const second = await makeAccount(office, agent.id, { isOwner: true })
  const them = office.as(await office.login(second.loginName))
  const [mine, theirs] = await Promise.all([
    refusalOf(me.team.deletePerson({ id: second.accountId })),
    refusalOf(them.team.deletePerson({ id: agent.accountId })),
  ])
  assert.equal([mine, theirs].filter(code => code === 'accepted').length, 1, `${mine} ${theirs}`)
})

test('a role is deleted once nobody holds it, and a name is one role’s', async () => {
  const { id, roleId } = await personWith([22])
  const { holders } = (await me.team.roles({})).rows.find(row => row.id === roleId) ?? {}
  assert.equal(holders, 1)
  assert.deepEqual((await me.team.holders({ id: roleId })).rows, [{ id, name: '王小明' }])
  assert.equal(await refusalOf(me.team.deleteRole({ id: roleId })), 'ROLE_HELD')
  await me.team.deletePerson({ id })
  await me.team.deleteRole({ id: roleId })
  await roleWith([], me, '销售')
  assert.equal(await refusalOf(me.team.addRole({ name: ' 销售 ', remark: '' })), 'ROLE_NAME_TAKEN')
  const other = await makeAgent(office)
  assert.equal(
    await refusalOf(
      office.as(await office.login(other.loginName)).team.addRole({ name: '销售', remark: '' }),
    ),
    'accepted',
  )
})

test('whoever is deleted cannot sign in, is in no list, keeps the name on what was done; the login name is free again', async () => {
  const { id, form, signIn } = await personWith([22, 24, 221])
  const them = await signIn()
  const shop = await makeMerchant(office, agent.id, { manager_id: id })
  await them.merchants.setRemark({ id: shop, remark: '跟进' })
  assert.equal(await refusalOf(me.team.deletePerson({ id })), 'SUCCESSOR_REQUIRED')
  assert.equal(await refusalOf(me.team.deletePerson({ id, successorId: id })), 'SUCCESSOR_UNKNOWN')
  assert.deepEqual((await me.team.person({ id })).colleagues, [{ id: agent.accountId, name: '姓名' }])
  await me.team.deletePerson({ id, successorId: agent.accountId })
  assert.deepEqual((await log())?.changes.at(-1), {
    name: '负责的商户（1 家）',
    before: '王小明',
    after: '姓名',
  })
  assert.ok(await soon(async () => (await refusalOf(them.access.current())) === 'UNAUTHENTICATED'))
  await assert.rejects(office.login(form.loginName, PASSWORD))
  assert.equal((await me.team.staff({ search: form.loginName })).total, 0)
  assert.equal((await me.merchants.details({ id: shop })).managerId, agent.accountId)
  const { rows } = await office.owner.query('select account_name from operation_logs where account_id = $1', [
    id,
  ])
  assert.ok(rows.some(row => row.account_name === '王小明'))
  assert.deepEqual(await me.team.loginName({ loginName: form.loginName }), { isFree: true })
  assert.equal(await refusalOf(me.team.addPerson({ ...form, password: PASSWORD })), 'accepted')
})

test('shops go to a colleague, to nobody, or stay with who is disabled', async () => {
  const { id } = await personWith([22])
  const other = await personWith([22])
  const shop = await makeMerchant(office, agent.id, { manager_id: id })
  const manager = async () => (await me.merchants.details({ id: shop })).managerId
  assert.equal((await me.team.staff({ search: '王小明' })).rows.find(row => row.id === id)?.shops, 1)
  assert.deepEqual(await me.team.handOver({ id, successorId: other.id }), { shops: 1 })
  assert.equal(await manager(), other.id)
  const { rows: told } = await me.operationLog.history({ kind: 'merchant', id: String(shop) })
  assert.deepEqual(
    told.map(({ title }) => title),
    ['移交商户'],
  )
  const { rows: ofPerson } = await me.operationLog.history({ kind: 'account', id: String(id) })
  assert.equal(ofPerson[0]?.title, '移交商户')
  await me.team.switchPerson({ id: other.id, enabled: false })
  assert.equal(await manager(), other.id)
  assert.equal(
    await refusalOf(me.team.switchPerson({ id, enabled: false, successorId: other.id })),
    'SUCCESSOR_UNKNOWN',
  )
  assert.deepEqual(await me.team.handOver({ id: other.id, successorId: 0 }), { shops: 1 })
  assert.equal(await manager(), null)
})

test('more shops than one row of the log names are handed over in several', async () => {
  const { id } = await personWith([22])
  const shops = await makeMerchants(office, agent.id, 220, () => ({ managerId: id }))
  assert.deepEqual(await me.team.handOver({ id, successorId: 0 }), { shops: 220 })
  for (const shop of [shops[0], shops.at(-1)]) {
    const { rows } = await me.operationLog.history({ kind: 'merchant', id: String(shop) })
    assert.equal(rows[0]?.title, '移交商户')
  }
  const { rows } = await me.operationLog.history({ kind: 'account', id: String(id) })
  assert.equal(rows.filter(({ title }) => title === '移交商户').length, 2)
})

test('a login name is one person’s over all agencies, and only that it is taken is told', async () => {
  const other = await makeAgent(office)
  const { id, form } = await personWith([22])
  assert.deepEqual(await me.team.loginName({ loginName: other.loginName }), { isFree: false })
  assert.deepEqual(await me.team.loginName({ loginName: form.loginName, id }), { isFree: true })
  const taken = { ...form, loginName: other.loginName }
  assert.equal(await refusalOf(me.team.addPerson({ ...taken, password: PASSWORD })), 'LOGIN_NAME_TAKEN')
  assert.equal(await refusalOf(me.team.editPerson({ ...taken, id })), 'LOGIN_NAME_TAKEN')
})

test('people are found by name, account and number, and filtered by role and state', async () => {
  const { id, form, roleId } = await personWith([22])
  const found = async (asked: object) => (await me.team.staff(asked)).rows.map(row => row.id)
  for (const search of ['小明', form.loginName.slice(1), '0001111'])
    assert.ok((await found({ search })).includes(id), search)
  assert.deepEqual(await found({ search: '没有' }), [])
  assert.deepEqual(await found({ roleId }), [id])
  await me.team.switchPerson({ id, enabled: false })
  assert.deepEqual(await found({ enabled: false }), [id])
  assert.deepEqual(await found({}), [agent.accountId, id])
})

test('the file holds who the list shows, with its conditions and columns, for whoever may take it', async () => {
  const { id, form } = await personWith([22])
  await makeMerchant(office, agent.id, { manager_id: id })
  const file = (cookie: string, query: Record<string, unknown>) =>
    call(office.app, cookie, { method: 'GET', path: '/team/staff.xlsx' }, query)
  const owner = await office.login(agent.loginName)
  const rowsOf = async (query: Record<string, unknown>) => {
    const { status, bytes } = await file(owner, query)
    assert.equal(status, 200)
    return ((await readXlsx(bytes)) as unknown as { data: unknown[][] }[])[0]?.data ?? []
  }
  const shown = 'name,loginName,roleName,mobile,shops,enabled'
  const [row] = (await me.team.staff({ search: form.loginName })).rows
  assert.deepEqual((await rowsOf({ columns: shown, search: form.loginName })).slice(1), [
    [form.name, form.loginName, row?.roleName, form.mobile, 1, '是'],
  ])
  const [head = [], first = [], ...rest] = await rowsOf({})
  assert.equal(first[head.indexOf('角色')], '负责人')
  assert.equal(rest.length, 1)
  assert.deepEqual(
    head.filter(name => /密码|密钥/.test(String(name))),
    [],
  )
  const other = await personWith([22, 58])
  const theirs = await firstSignIn(office, other.form.loginName, PASSWORD)
  assert.equal((await file(theirs, {})).status, 403)
})

test('a portrait is a picture that this agency uploaded for one', async () => {
  const { id, form } = await personWith([22])
  const file = async (agentId: number, purpose: string) => {
    const fileId = randomUUID()
    await office.owner.query(
      `insert into files (id, agent_id, purpose, mime, width, height, byte_size, created_by, created_at)
       values ($1, $2, $3, 'image/png', 1, 1, 1, 1, now())`,
      [fileId, agentId, purpose],
    )
    return fileId
  }
  const other = await makeAgent(office)
  for (const portraitId of [randomUUID(), await file(other.id, 'portrait'), await file(agent.id, 'feedback')])
    assert.equal(await refusalOf(me.team.editPerson({ ...form, id, portraitId })), 'PORTRAIT_UNKNOWN')
  const portraitId = await file(agent.id, 'portrait')
  await me.team.editPerson({ ...form, id, portraitId })
  assert.equal((await me.team.staff({ search: form.loginName })).rows[0]?.portraitId, portraitId)
})

test('who can do this are the owners and the people of roles that stand', async () => {
  const { id, roleId } = await personWith([22, 221])
  const named = async () => (await me.team.whoCan({ id: 221 })).people.map(person => person.id)
  assert.deepEqual(await named(), [agent.accountId, id])
  await me.team.switchRole({ id: roleId, enabled: false })
  assert.deepEqual(await named(), [agent.accountId])
})

test('a password that somebody else made opens nothing but its change, and is none that is guessed', async () => {
  const { id, form } = await personWith([22])
  const them = office.as(await office.login(form.loginName, PASSWORD))
  assert.equal((await them.access.current()).mustChangePassword, true)
  assert.equal(await refusalOf(them.merchants.list({})), 'PASSWORD_CHANGE_REQUIRED')
  const own = office.as(await firstSignIn(office, form.loginName, PASSWORD))
  assert.equal((await own.merchants.list({})).total, 0)
  await me.team.resetPassword({ id, password: 'third-2027' })
  const again = office.as(await office.login(form.loginName, 'third-2027'))
  assert.equal(await refusalOf(again.merchants.list({})), 'PASSWORD_CHANGE_REQUIRED')
  await office.owner.query(`update agents set company_name = 'Xinyuan-Ruanjian' where id = $1`, [agent.id])
  for (const password of ['password1', `${form.loginName}1`, 'Xinyuan-Ruanjian1'])
    assert.equal(await refusalOf(me.team.resetPassword({ id, password })), 'PASSWORD_GUESSED', password)
})

test('second factors that were lost are taken away; who has none is not touched', async () => {
  const { id, form } = await personWith([22])
  assert.equal(await refusalOf(me.team.resetFactors({ id })), 'NO_FACTOR')
  const cookie = await firstSignIn(office, form.loginName, PASSWORD)
  await makeTotp(office, cookie)
  const shown = async () => (await me.team.staff({ search: form.loginName })).rows[0]?.hasFactor
  assert.equal(await shown(), true)
  await me.team.resetFactors({ id })
  assert.equal(await shown(), false)
  assert.ok(
    await soon(async () => (await refusalOf(office.as(cookie).access.current())) === 'UNAUTHENTICATED'),
  )
  assert.deepEqual((await log())?.changes, [{ name: '二次验证', before: '已设置', after: '已重置' }])
})

test('a number that codes would come to is changed after the password is given again; the rest of a person needs none', async () => {
  const { id, form } = await personWith([22])
  await forgetProofs(office)
  assert.equal(await refusalOf(me.team.editPerson({ ...form, id, remark: '早班' })), 'accepted')
  const moved = { ...form, id, mobile: '13800002222' }
  assert.equal(await refusalOf(me.team.editPerson(moved)), 'FACTOR_REQUIRED')
  await me.factors.prove({ password: OWN_PASSWORD })
  assert.equal(await refusalOf(me.team.editPerson(moved)), 'accepted')
})
