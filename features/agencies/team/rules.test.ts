// Forms of roles and people, who may touch whom, and what ticking a node of the tree brings with it (D3 §5, §6).
import assert from 'node:assert/strict'
import test from 'node:test'
import { deedsOf, PERMISSION_NODES } from '#app/joined.ts'
import {
  brokenRole,
  brokenStaff,
  closedNodes,
  deedText,
  isBeyond,
  isRight,
  PRESETS,
  refuseLoginName,
  refuseNewPassword,
  refuseRole,
  refuseTouch,
  rightsBelow,
  type StaffDeed,
  sentenceOf,
  ticked,
} from './rules.ts'

test('a role has a name of at most 8 characters and a description of at most 20, without special ones', () => {
  const cases: [name: string, remark: string, codes: string[]][] = [
    ['店长', '', []],
    ['八个字的角色名称', '二十个字以内的描述二十个字以内的描述二十', []],
    ['  ', '', ['ROLE_NAME_REQUIRED']],
    ['九个字的角色名称长', '', ['ROLE_NAME_TOO_LONG']],
    ['店长<b>', '', ['ROLE_NAME_SYMBOLS']],
    ['店长', '一'.repeat(21), ['ROLE_REMARK_TOO_LONG']],
    ['', '#', ['ROLE_NAME_REQUIRED', 'ROLE_REMARK_SYMBOLS']],
  ]
  for (const [name, remark, codes] of cases)
    assert.deepEqual(
      brokenRole({ name, remark }).map(({ code }) => code),
      codes,
      `${name} ${remark}`,
    )
})

test('a person has an account of 4 to 11 digits, a name of at most 8, a mobile number and a role', () => {
  const form = {
    loginName: '13800001111',
    name: '王小明',
    mobile: '13800001111',
    roleId: 1,
    wechat: '',
    remark: '',
  }
  const cases: [changed: Partial<typeof form> | { roleId: null }, codes: string[]][] = [
    [{}, []],
    [{ loginName: '' }, ['LOGIN_NAME_REQUIRED']],
    [{ loginName: '123' }, ['LOGIN_NAME_FORMAT']],
    [{ loginName: '123456789012' }, ['LOGIN_NAME_FORMAT']],
    [{ loginName: 'wang' }, ['LOGIN_NAME_FORMAT']],
    [{ name: '' }, ['NAME_REQUIRED']],
    [{ name: '名字超过了八个字的人' }, ['NAME_TOO_LONG']],
    [{ name: '王@' }, ['NAME_SYMBOLS']],
    [{ mobile: '' }, ['MOBILE_REQUIRED']],
    [{ mobile: '12800001111' }, ['MOBILE_FORMAT']],
    [{ roleId: null }, ['ROLE_REQUIRED']],
    [{ wechat: 'w'.repeat(41), remark: '备'.repeat(51) }, ['WECHAT_TOO_LONG', 'REMARK_TOO_LONG']],
  ]
  for (const [changed, codes] of cases)
    assert.deepEqual(
      brokenStaff({ ...form, labelId: null, ...changed }, { isOwner: false }).map(({ code }) => code),
      codes,
      JSON.stringify(changed),
    )
  assert.deepEqual(brokenStaff({ ...form, labelId: null, roleId: null }, { isOwner: true }), [])
  assert.equal(refuseLoginName('1234'), null)
})

test('a password has at least 6 allowed characters and is not the account', () => {
  const cases = [
    ['', 'PASSWORD_REQUIRED'],
    ['12345', 'PASSWORD_FORMAT'],
    ['密码密码密码', 'PASSWORD_FORMAT'],
    ['13800001111', 'PASSWORD_SAME'],
    ['secret-2026', null],
  ] as const
  for (const [password, code] of cases)
    assert.equal(refuseNewPassword(password, '13800001111'), code, password)
})

test('nobody ends oneself, touches an owner without being one, or somebody who may do more', () => {
  const owner = { accountId: 1, isOwner: true }
  const sub = { accountId: 2, isOwner: false }
  const plain = { id: 9, isOwner: false, isBeyond: false }
  const cases: [StaffDeed, typeof owner, typeof plain, string | null][] = [
    ['edit', owner, plain, null],
    ['end', owner, plain, null],
    ['secure', owner, { ...plain, isOwner: true }, null],
    ['end', owner, { ...plain, id: 1, isOwner: true }, 'SELF_ENDED'],
    ['secure', sub, { ...plain, id: 2 }, 'SELF_SECURED'],
    ['edit', sub, { ...plain, id: 2 }, null],
    ['edit', sub, { ...plain, isOwner: true }, 'OWNER_ONLY'],
    ['end', sub, { ...plain, isBeyond: true }, 'STAFF_BEYOND'],
    ['secure', sub, { ...plain, isBeyond: true }, 'STAFF_BEYOND'],
    ['secure', sub, plain, null],
  ]
  for (const [deed, me, target, code] of cases) assert.equal(refuseTouch(deed, me, target), code)
  const mine = { id: 5, isBeyond: false }
  assert.equal(refuseRole({ ...sub, roleId: 5 }, mine, { ends: true }), 'ROLE_OWN')
  assert.equal(refuseRole({ ...sub, roleId: 5 }, mine, { ends: false }), null)
  assert.equal(refuseRole({ ...sub, roleId: 6 }, { id: 5, isBeyond: true }, { ends: false }), 'ROLE_BEYOND')
  assert.equal(refuseRole({ ...owner, roleId: null }, { id: 5, isBeyond: true }, { ends: true }), null)
})

const NODES = [
  { id: 27, parentId: null, key: 'home', path: '/admin/index' },
  { id: 2, parentId: null, key: 'shops', path: '' },
  { id: 22, parentId: 2, key: 'list', path: '/list' },
  { id: 221, parentId: 22, key: 'edit', path: '/list#edit' },
  { id: 222, parentId: 22, key: 'status', path: '/list#status' },
  { id: 23, parentId: 2, key: 'overdue', path: '/overdue' },
]

test('a verb brings its page, a page takes its verbs along, a group stands for all below; the start page stays', () => {
  const after = (held: number[], id: number, on: boolean) =>
    [...ticked(NODES, new Set(held), id, on)].sort((a, b) => a - b)
  assert.deepEqual(after([27], 221, true), [22, 27, 221])
  assert.deepEqual(after([27], 22, true), [22, 27])
  assert.deepEqual(after([27, 22, 221], 22, false), [27])
  assert.deepEqual(after([27, 22, 221], 221, false), [22, 27])
  assert.deepEqual(after([27], 2, true), [22, 23, 27, 221, 222])
  assert.deepEqual(after([27, 22, 23, 221], 2, false), [27])
  assert.deepEqual(after([27], 27, false), [27])
  assert.deepEqual(rightsBelow(NODES, 2), [22, 221, 222, 23])
})

test('what is kept is closed: pages of verbs, the start page, no groups, nothing unknown', () => {
  assert.deepEqual(closedNodes(NODES, [2, 221, 999]), [22, 27, 221])
  assert.deepEqual(closedNodes(NODES, []), [27])
})

test('a role goes beyond a person who lacks one of its rights', () => {
  const held = new Set(['home', 'list'])
  assert.equal(isBeyond(NODES, [27, 22], held), false)
  assert.equal(isBeyond(NODES, [27, 22, 221], held), true)
  assert.equal(isBeyond(NODES, [27, 999], held), false)
})

const VERBS =
  /^(新增|新建|编辑|修改|保存|设置|调整|变更|更换|更新|启停|启用|禁用|停用|停售|停止|恢复|删除|移除|销毁|作废|导入|导出|上传|下载|打包下载|查看|查询|读取|校验|检测|核对|处理|重新|重试|重置|重发|重放|发送|发布|扩大|撤回|撤销|下线|下架|购买|订购|回收|赠送|批量|取消|通过|驳回|同意|婉拒|生成|关联|解除|提交|群发|继续|暂停|开始|开通|对应|跳过|整批|备注|清空|回复|答复|添加|关闭|分配|转交|移交|复制|标记|记录|联系|评论|评价|关注|合并|轮换|注册|结束|完成|确认|退回|划拨|用|为|让|替|审批|延长|申请|收取|登记|填写|交接|查找|勾选|短信发送|采用|复核)/

test('what a right lets one do is said with a verb', () => {
  const deeds = PERMISSION_NODES.flatMap(({ key }) => deedsOf(key)).map(deedText)
  assert.deepEqual(
    deeds.filter(deed => !VERBS.test(deed)),
    [],
  )
})

test('every node says in a sentence what it lets one do, from the operations that ask for it', () => {
  const said = PERMISSION_NODES.filter(isRight).map(node => [node.key, sentenceOf(node, deedsOf(node.key))])
  for (const [key, sentence] of said) assert.match(sentence as string, /^(打开「.+」|可以.+|查看.+)/, key)
  const of = (key: string) => said.find(([known]) => known === key)?.[1]
  assert.equal(of('team.roles'), '打开「角色管理」')
  assert.equal(of('team.editRoles'), '可以新增角色、编辑角色、启停角色、删除角色')
  assert.equal(of('ledger.wallet'), '查看余额')
  assert.equal(of('viewAs.staff'), '可以用员工的身份查看')
  assert.equal(of('ledger.credit'), '可以为代理商充值')
  assert.equal(of('orders.export'), '可以导出版本订单')
})

test('presets name rights that exist and that every agency can hold, with the pages of their verbs, and none over staff', () => {
  for (const { name, keys } of Object.values(PRESETS))
    for (const key of keys) {
      const node = PERMISSION_NODES.find(one => one.key === key)
      assert.equal(node?.marker, '1', `${name} ${key}`)
      const parent = PERMISSION_NODES.find(({ id }) => id === node?.parentId)
      if (parent && isRight(parent) && parent.key !== 'home')
        assert.ok((keys as readonly string[]).includes(parent.key), `${name} ${key} without ${parent.key}`)
      assert.doesNotMatch(key, /^team\.|allocate/, `${name} ${key}`)
    }
})
