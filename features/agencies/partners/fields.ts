// What the operator says of a partner when it is taken on and later; the list of partners is features/agencies/partners/desk's.
import type { Fields } from '#kit/declare/fields.ts'
import { ACCOUNT_FORMAT_WORDS, LIMITS } from './rules.ts'

export const PARTNER_FIELDS = {
  companyName: {
    kind: 'text',
    label: '公司名称',
    max: LIMITS.companyName,
    in: ['add', 'edit', 'log'],
    control: { as: 'text', group: 'company', required: true, placeholder: '与合同一致' },
  },
  levelId: { kind: 'id', label: '等级', in: ['add', 'edit'] },
  levelName: { kind: 'text', label: '等级', in: ['log'] },
  parentId: { kind: 'id', label: '上级', nullable: true, in: ['add', 'edit'] },
  parentName: { kind: 'text', label: '上级', nullable: true, none: '厂商直属', in: ['log'] },
  districtCode: { kind: 'digits', label: '所在地区', in: ['add', 'edit'] },
  contactName: {
    kind: 'text',
    label: '联系人',
    max: LIMITS.contactName,
    in: ['add', 'edit', 'log'],
    control: { as: 'text', group: 'company', required: true },
  },
  mobile: {
    kind: 'digits',
    label: '联系手机',
    max: 11,
    in: ['add', 'edit', 'log'],
    control: { as: 'text', group: 'company', required: true, inputMode: 'tel' },
  },
  accountFormat: {
    kind: 'word',
    label: '商户账号格式',
    words: ACCOUNT_FORMAT_WORDS,
    in: ['add', 'edit', 'log'],
  },
  isVendorStaff: { kind: 'flag', label: '厂商员工', in: ['add', 'edit', 'log'] },
  hasFullMenu: { kind: 'flag', label: '完整菜单', in: ['add', 'edit', 'log'] },
  payEnabled: { kind: 'flag', label: '在线收款', in: ['add', 'edit', 'log'] },
  contractFrom: { kind: 'day', label: '合同开始', nullable: true, none: '未约定', in: ['log'] },
  contractTo: { kind: 'day', label: '合同结束', nullable: true, none: '未约定', in: ['log'] },
  methods: { kind: 'text', label: '另外开放的支付方式', in: ['log'] },
  channels: { kind: 'text', label: '充值渠道', in: ['log'] },
  ownerLoginName: {
    kind: 'digits',
    label: '登录账号',
    max: LIMITS.loginName,
    in: ['add', 'log'],
    control: {
      as: 'text',
      group: 'owner',
      required: true,
      placeholder: '4 至 11 位数字，可用手机号',
      inputMode: 'numeric',
    },
  },
  ownerName: {
    kind: 'text',
    label: '负责人姓名',
    max: LIMITS.ownerName,
    in: ['add', 'log'],
    control: { as: 'text', group: 'owner', required: true },
  },
  ownerMobile: {
    kind: 'digits',
    label: '负责人手机',
    max: 11,
    in: ['add', 'log'],
    control: { as: 'text', group: 'owner', required: true, hint: '邀请短信发送到该号码', inputMode: 'tel' },
  },
} as const satisfies Fields

/** Why a partner is suspended; its people read it. */
export const SUSPENSION = {
  reason: {
    kind: 'text',
    label: '暂停原因',
    max: LIMITS.reason,
    control: {
      as: 'lines',
      required: true,
      counted: true,
      missing: '请输入暂停原因，对方会看到',
      placeholder: '对方会在每个页面的顶部看到',
    },
  },
} as const satisfies Fields
