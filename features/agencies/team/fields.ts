// What a role and a person of an agency show, and their lists (D3 §3). Words stand in rules.ts.

import { PASSWORD_HINT } from '#features/agencies/sign-in/rules.ts'
import type { Fields } from '#kit/declare/fields.ts'
import { fieldsIn } from '#kit/declare/form.ts'
import { byWord, list } from '#kit/declare/list.ts'
import { DATA_SCOPES, LIMITS, ONE_PORTRAIT } from './rules.ts'

const SWITCHED = { true: '启用', false: '停用' } as const

export const ROLE_FIELDS = {
  id: { kind: 'id', label: '角色编号', in: ['row'] },
  name: {
    kind: 'text',
    label: '角色名称',
    max: LIMITS.roleName,
    in: ['row', 'add', 'edit', 'log'],
    control: { as: 'text', required: true },
  },
  remark: {
    kind: 'text',
    label: '角色描述',
    max: LIMITS.roleRemark,
    in: ['row', 'add', 'edit', 'log'],
    control: { as: 'text', placeholder: '选填，如：负责开店和续费', counted: true },
  },
  enabled: { kind: 'flag', label: '启用', in: ['row', 'log'] },
  /** People who have it. */
  holders: { kind: 'count', label: '员工', unit: '人', in: ['row'] },
  rights: { kind: 'count', label: '权限', unit: '项', in: ['row'] },
  createdAt: { kind: 'instant', label: '创建时间', in: ['row'] },
} as const satisfies Fields

export const ROLE = fieldsIn(ROLE_FIELDS, 'edit')

export const ROLES = list({
  key: 'team.roles',
  title: '角色管理',
  fields: ROLE_FIELDS,
  columns: {
    name: { width: 144, fixed: 'start', card: 'title' },
    remark: { width: 280, card: 'fact' },
    holders: { width: 96, card: 'fact' },
    rights: { width: 96, card: 'fact' },
    enabled: { width: 88, card: 'fact' },
    createdAt: {},
  },
  search: '角色名称、描述',
  filters: { enabled: { kind: 'flag', label: '状态', words: SWITCHED } },
  empty: '还没有角色。先新增角色并设置权限，再为员工选择角色',
})

export const STAFF_FIELDS = {
  id: { kind: 'id', label: '员工编号', in: ['row'] },
  name: {
    kind: 'text',
    label: '姓名',
    max: LIMITS.name,
    in: ['row', 'add', 'edit', 'log'],
    control: { as: 'text', required: true },
  },
  loginName: {
    kind: 'digits',
    label: '登录账号',
    max: LIMITS.loginName,
    in: ['row', 'add', 'edit', 'log'],
    control: { as: 'own', required: true },
  },
  roleId: {
    kind: 'id',
    label: '角色',
    nullable: true,
    in: ['row', 'add', 'edit'],
    control: { as: 'own' },
  },
  roleName: { kind: 'text', label: '角色', nullable: true, in: ['row', 'log'] },
  /** Of the agency's shops: all, or those whose manager the person is. */
  dataScope: {
    kind: 'word',
    label: '数据范围',
    words: DATA_SCOPES,
    in: ['row', 'add', 'edit', 'log'],
    control: { as: 'own', first: 'all' },
  },
  /** What shops are told that the person is to them. */
  labelId: {
    kind: 'id',
    label: '称谓',
    nullable: true,
    in: ['row', 'add', 'edit'],
    control: { as: 'own', hint: '显示在商户资料里客户经理的姓名后' },
  },
  labelName: { kind: 'text', label: '称谓', nullable: true, in: ['row', 'log'] },
  isOwner: { kind: 'flag', label: '负责人', in: ['row'] },
  mobile: {
    kind: 'phone',
    label: '手机号',
    in: ['row', 'add', 'edit', 'log'],
    control: { as: 'text', required: true, inputMode: 'tel' },
  },
  wechat: {
    kind: 'text',
    label: '微信号',
    max: LIMITS.wechat,
    in: ['row', 'add', 'edit', 'log'],
    control: { as: 'text' },
  },
  portraitId: {
    kind: 'text',
    label: '头像',
    nullable: true,
    in: ['row'],
    control: { as: 'picture', purpose: 'portrait', onlyOne: ONE_PORTRAIT },
  },
  enabled: { kind: 'flag', label: '启用', in: ['row', 'log'] },
  lastLoginAt: { kind: 'instant', label: '最近登录', nullable: true, none: '从未登录', in: ['row'] },
  hasFactor: { kind: 'flag', label: '二次验证', in: ['row'] },
  remark: {
    kind: 'text',
    label: '备注',
    max: LIMITS.remark,
    in: ['row', 'add', 'edit', 'log'],
    control: { as: 'text', counted: true },
  },
  /** Shops whose manager the person is. */
  shops: { kind: 'count', label: '负责商户', unit: '家', in: ['row'] },
  createdAt: { kind: 'instant', label: '创建时间', in: ['row'] },
} as const satisfies Fields

export const STAFF = list({
  key: 'team.staff',
  title: '员工管理',
  fields: STAFF_FIELDS,
  columns: {
    name: {
      title: '姓名 / 登录账号',
      width: 184,
      fixed: 'start',
      card: 'title',
      below: ['loginName'],
      opens: true,
    },
    roleName: { title: '角色 / 数据范围', width: 152, card: 'fact', below: ['dataScope'] },
    mobile: { title: '手机号 / 微信号', width: 152, card: 'fact', below: ['wechat'] },
    shops: { width: 112 },
    enabled: { width: 88, card: 'fact' },
    lastLoginAt: { card: 'fact' },
    remark: { width: 176 },
    labelName: { hidden: true, width: 104 },
    hasFactor: { hidden: true, width: 104 },
    createdAt: { hidden: true },
  },
  search: '姓名、登录账号、手机号',
  filters: {
    roleId: { kind: 'id', label: '角色' },
    dataScope: byWord(STAFF_FIELDS.dataScope),
    enabled: { kind: 'flag', label: '状态', words: SWITCHED },
  },
  file: { path: '/team/staff.xlsx', permission: 'team.exportStaff', log: '导出员工', name: '员工' },
  empty: '还没有员工。新增员工后，把登录账号和密码告诉本人即可登录',
})

/** A new password for a person who forgot it. */
export const NEW_PASSWORD = {
  password: {
    kind: 'text',
    label: '新密码',
    control: { as: 'text', required: true, secret: true, missing: '请输入密码', hint: PASSWORD_HINT },
  },
} as const satisfies Fields

/** Who takes over the shops of a person. */
export const SUCCESSOR = {
  successorId: { kind: 'id', label: '由谁接手商户', nullable: true, control: { as: 'own' } },
} as const satisfies Fields

const { name, mobile, loginName, roleId, labelId, wechat, remark, dataScope, portraitId } = STAFF_FIELDS

/** A person, and the first password of a new one. */
export const PERSON = {
  name,
  mobile,
  loginName,
  password: { kind: 'text', label: '密码', control: { ...NEW_PASSWORD.password.control } },
  roleId,
  labelId,
  wechat,
  remark,
  dataScope,
  portraitId,
} as const satisfies Fields
