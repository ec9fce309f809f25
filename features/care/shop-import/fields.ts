// What an import shows, the list of them, and the columns of a file: how each is called here and elsewhere.

import { UNDO_REASON_MAX } from '#features/sales/orders/rules.ts'
import { LIMITS as SETTLEMENT_LIMITS } from '#features/sales/settlement/rules.ts'
import type { Fields } from '#kit/declare/fields.ts'
import { BY_AGENT, byWord, list } from '#kit/declare/list.ts'
import { type CellKey, IMPORT_MODES, IMPORT_STATES, LIMITS } from './rules.ts'

export const IMPORT_FIELDS = {
  fileName: { kind: 'text', label: '文件' },
  mode: { kind: 'word', label: '方式', words: IMPORT_MODES },
  reason: { kind: 'text', label: '接管原因', none: '' },
  state: {
    kind: 'word',
    label: '状态',
    words: IMPORT_STATES,
    tones: {
      draft: 'attention',
      running: 'attention',
      stopped: 'problem',
      done: 'done',
      rolling: 'attention',
      rolledBack: 'neutral',
      dropped: 'neutral',
    },
  },
  active: { kind: 'flag', label: '显示' },
  rows: { kind: 'count', label: '行数', unit: '行' },
  created: { kind: 'count', label: '已导入', unit: '家' },
  failed: { kind: 'count', label: '未导入', unit: '行' },
  skipped: { kind: 'count', label: '已跳过', unit: '行' },
  takenBack: { kind: 'count', label: '已撤回', unit: '家' },
  totalCents: { kind: 'money', label: '结算', unit: '代币' },
  sms: { kind: 'count', label: '短信', unit: '条' },
  remark: { kind: 'text', label: '备注', max: LIMITS.remark, none: '' },
  createdByName: { kind: 'text', label: '上传人' },
  createdAt: { kind: 'instant', label: '上传时间' },
  finishedAt: { kind: 'instant', label: '完成时间', nullable: true, none: '' },
  agentId: { kind: 'id', label: '代理商编号' },
  agentName: { kind: 'text', label: '代理商' },
} as const satisfies Fields

/** D3 §2: merchantImport. */
export const IMPORTS = list({
  key: 'shopImport.list',
  title: '批量导入',
  fields: IMPORT_FIELDS,
  columns: {
    fileName: { width: 184, fixed: 'start', opens: true, card: 'title', below: ['remark'] },
    state: { width: 96, card: 'fact' },
    created: { title: '已导入 / 行数', width: 112, card: 'fact', below: ['rows'] },
    failed: { title: '未导入 / 跳过', width: 112, card: 'fact', below: ['skipped'] },
    totalCents: { width: 104, card: 'fact' },
    mode: { width: 104, below: ['reason'] },
    createdByName: { width: 80, hidden: 'staff' },
    createdAt: { card: 'fact' },
    finishedAt: { hidden: true },
    agentName: { width: 144, for: 'staff', below: ['agentId'] },
  },
  search: '文件名',
  filters: {
    state: byWord(IMPORT_FIELDS.state),
    mode: byWord(IMPORT_FIELDS.mode),
    active: { kind: 'word', label: '显示', words: { true: '在用', false: '已收起' } },
    agentId: BY_AGENT,
  },
  empty: '还没有导入过店铺；从其他系统换过来的店铺可以用表格一次导入',
})

/** Whoever a list of shops names beside a shop, and how people write whose name or number a column has. */
const PEOPLE = [
  ...[
    '老板',
    '老板娘',
    '店主',
    '店长',
    '业主',
    '掌柜',
    '负责人',
    '联系人',
    '经营者',
    '经办人',
    '商户',
    '商家',
    '客户',
  ],
  ...[
    '法人',
    '法人代表',
    '法定代表人',
    '户主',
    '店铺联系人',
    '门店联系人',
    '商户联系人',
    '店铺负责人',
    '门店负责人',
  ],
]
const ofPeople = (...words: readonly string[]) =>
  PEOPLE.flatMap(person => words.map(word => `${person}${word}`))
/** What stands before a name, a number or an address of a shop. */
const ofShops = (...words: readonly string[]) =>
  ['店铺', '门店', '商户', '商家', '商店', '企业', '公司'].flatMap(shop =>
    words.map(word => `${shop}${word}`),
  )

type ImportColumn = {
  label: string
  /** What other systems call it; compared without spaces, marks and what stands in brackets. */
  others: readonly string[]
  /** In the template. */
  example: string
  width: number
  required?: true
  /** Of terms that are taken over alone. */
  takeover?: true
}

export const COLUMNS: Readonly<Record<CellKey, ImportColumn>> = {
  shortName: {
    label: '店铺简称',
    others: ['简称', '简写', '短名', '店名简称', '店简称', '名称简称', ...ofShops('简称', '简写', '短名')],
    example: '老张面馆',
    width: 120,
    required: true,
  },
  shopName: {
    label: '店铺名称',
    others: [
      ...[
        '店名',
        '名称',
        '全称',
        '店名全称',
        '名称全称',
        '字号',
        '招牌',
        '招牌名称',
        '单位名称',
        '执照名称',
        '营业执照名称',
      ],
      ...[
        '店铺',
        '门店',
        '商店',
        '企业',
        '公司',
        '客户名称',
        '客户全称',
        ...ofShops('名', '名称', '名字', '全称', '全名'),
      ],
    ],
    example: '深圳老张面馆',
    width: 184,
    required: true,
  },
  personName: {
    label: '商户姓名',
    others: [
      ...['姓名', '名字', '联系人名称', '联系人名'],
      ...ofPeople('姓名').filter(name => name !== '商户姓名'),
      ...PEOPLE.filter(person => !['商户', '商家', '客户'].includes(person)),
      ...ofPeople('名字').filter(name => !ofShops('名字').includes(name)),
    ],
    example: '张三',
    width: 96,
    required: true,
  },
  account: {
    label: '账号',
    others: [
      ...[
        '手机',
        '手机号',
        '手机号码',
        '移动电话',
        '电话号码',
        '联系方式',
        '用户名',
        '登录名',
        '账户',
        '帐户',
        '帐号',
      ],
      ...['联系', '注册', '登录', '绑定', '账号', '店铺', '门店'].flatMap(of => [
        ...[`${of}手机`, `${of}手机号`, `${of}手机号码`],
      ]),
      ...[
        '登录账号',
        '登录帐号',
        '登录账户',
        '商户账号',
        '商户帐号',
        '店铺账号',
        '系统账号',
        '会员账号',
        '老账号',
      ],
      ...ofPeople('手机', '手机号', '手机号码', '电话', '联系方式').filter(
        name => !ofShops('电话').includes(name),
      ),
    ],
    example: '13800138000',
    width: 128,
    required: true,
  },
  password: { label: '密码', others: ['登录密码', '初始密码', '口令'], example: '', width: 96 },
  version: {
    label: '软件版本',
    others: [
      ...[
        '版本',
        '产品版本',
        '套餐',
        '系统版本',
        '产品',
        '软件',
        '软件名称',
        '软件类型',
        '版本名称',
        '版本类型',
        '套餐名称',
      ],
      ...['产品名称', '购买版本', '开通版本', '使用版本', '现用版本', '收银版本'],
    ],
    example: '高级版',
    width: 104,
    required: true,
  },
  term: {
    label: '购买时限',
    others: [
      ...['时限', '年限', '期限', '时长', '服务期', '续费年限', '有效期限', '有效年限'],
      ...['购买', '使用', '开通', '服务'].flatMap(of => [`${of}年限`, `${of}期限`, `${of}时长`]),
    ],
    example: '1年',
    width: 96,
    required: true,
  },
  shops: { label: '订购数量', others: ['店铺数', '店铺数量', '数量', '门店数'], example: '1', width: 88 },
  branches: { label: '分店数量', others: ['分店数', '分店'], example: '', width: 88 },
  industry: {
    label: '行业类型',
    others: [
      '行业',
      '所属行业',
      '业态',
      '经营类目',
      '类目',
      '行业分类',
      '经营类型',
      '店铺类型',
      '门店类型',
      '主营',
    ],
    example: '餐饮美食',
    width: 104,
    required: true,
  },
  province: { label: '省', others: ['省份', '所在省', '所在省份'], example: '广东省', width: 96 },
  city: { label: '市', others: ['城市', '所在市', '所在城市', '地市'], example: '深圳市', width: 96 },
  district: {
    label: '区县',
    others: ['区', '县', '区域', '所在区', '省市区', '地区', '所在地区', '所属地区', '行政区'],
    example: '南山区',
    width: 112,
    required: true,
  },
  address: {
    label: '详细地址',
    others: [
      '地址',
      '街道',
      '联系地址',
      '经营地址',
      '营业地址',
      '注册地址',
      '所在地址',
      '具体地址',
      ...ofShops('地址'),
    ],
    example: '科技园1号',
    width: 200,
  },
  shopPhone: {
    label: '店铺电话',
    others: [
      '电话',
      '座机',
      '固定电话',
      '联系电话',
      '固话',
      '订餐电话',
      '服务电话',
      '座机号码',
      ...ofShops('电话', '座机'),
    ],
    example: '0755-86000000',
    width: 136,
  },
  referrer: { label: '推荐人', others: ['介绍人', '来源人'], example: '', width: 96 },
  manager: {
    label: '客户经理',
    others: ['客户经理/客服', '客服', '业务员', '销售', '销售员', '负责业务员'],
    example: '',
    width: 96,
  },
  remark: { label: '备注', others: ['说明', '备注信息'], example: '', width: 136 },
  sms: { label: '短信条数', others: ['短信', '短信数量', '赠送短信', '短信余额'], example: '0', width: 88 },
  registeredAt: {
    label: '注册时间',
    others: ['注册日期', '开通时间', '开通日期', '开户时间', '开户日期', '创建时间', '入网时间'],
    example: '2024-01-31',
    width: 112,
    takeover: true,
  },
  expiresAt: {
    label: '到期时间',
    others: [
      ...[
        '到期',
        '到期日期',
        '到期日',
        '有效期',
        '有效期至',
        '有效期到',
        '截止日期',
        '截止时间',
        '截止日',
        '过期时间',
        '过期日期',
      ],
      ...[
        '结束时间',
        '结束日期',
        '服务到期',
        ...['服务', '软件', '使用', '版本'].flatMap(of => [`${of}到期时间`, `${of}到期日期`]),
      ],
      ...['服务到期日', '服务截止日期', '服务截止时间'],
    ],
    example: '2027-01-31',
    width: 112,
    takeover: true,
  },
}

export const IMPORT_REMARK = {
  remark: { kind: 'text', label: '备注', max: LIMITS.remark, control: { as: 'text', counted: true } },
} as const satisfies Fields

/** What staff say to a request to take an import back. */
export const APPROVE_BACK = {
  decision: {
    kind: 'text',
    label: '审批意见',
    max: SETTLEMENT_LIMITS.decision,
    none: '',
    control: { as: 'text', counted: true },
  },
} as const satisfies Fields
export const REJECT_BACK = {
  decision: {
    kind: 'text',
    label: '驳回原因',
    max: SETTLEMENT_LIMITS.decision,
    control: { as: 'text', required: true, counted: true },
  },
} as const satisfies Fields

export const ROLL_BACK = {
  reason: {
    kind: 'text',
    label: '撤回原因',
    max: UNDO_REASON_MAX,
    control: { as: 'text', required: true, counted: true },
  },
} as const satisfies Fields

/** How the shops of a file are taken: whose they become and why is asked where their terms are taken over. */
export const UPLOAD = {
  mode: { ...IMPORT_FIELDS.mode, control: { as: 'own' } },
  agentId: { kind: 'id', label: '店铺归属的代理商', nullable: true, control: { as: 'own' } },
  reason: { ...IMPORT_FIELDS.reason, control: { as: 'own' } },
} as const satisfies Fields

/** The cells of a line, of a file's columns alone. */
export function lineFields(columns: readonly CellKey[]) {
  type Cell = { kind: 'text'; label: string; control: { as: 'text'; secret?: true } }
  const cells = columns.map((key): [CellKey, Cell] => [
    key,
    {
      kind: 'text',
      label: COLUMNS[key].label,
      control: { as: 'text', ...(key === 'password' && { secret: true }) },
    },
  ])
  return Object.fromEntries(cells) as Readonly<Record<CellKey, Cell>>
}
