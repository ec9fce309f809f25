// What the operator says of a partner when it is taken on and later; the list of partners is features/agencies/partners/desk's.
import { LIMITS as LEDGER_LIMITS } from '#features/money/ledger/rules.ts'
import type { Fields } from '#kit/declare/fields.ts'
import { fieldsNamed } from '#kit/declare/form.ts'
import { amountText } from '#kit/money.ts'
import { ACCOUNT_FORMAT_WORDS, LIMITS, PARTNER_REFUSALS } from './rules.ts'

export const PARTNER_FIELDS = {
  companyName: {
    kind: 'text',
    label: '公司名称',
    max: LIMITS.companyName,
    in: ['add', 'edit', 'log'],
    control: { as: 'text', group: 'company', required: true, placeholder: '与合同一致' },
  },
  levelId: {
    kind: 'id',
    label: '等级',
    in: ['add', 'edit'],
    control: { as: 'own', required: true, missing: PARTNER_REFUSALS.LEVEL_UNKNOWN },
  },
  levelName: { kind: 'text', label: '等级', in: ['log'] },
  parentId: {
    kind: 'id',
    label: '上级',
    nullable: true,
    in: ['add', 'edit'],
    control: { as: 'own', hint: '不选为厂商直属，最多三级' },
  },
  parentName: { kind: 'text', label: '上级', nullable: true, none: '厂商直属', in: ['log'] },
  districtCode: { kind: 'digits', label: '所在地区', in: ['add', 'edit'], control: { as: 'own' } },
  contactName: {
    kind: 'text',
    label: '联系人',
    max: LIMITS.contactName,
    in: ['add', 'edit', 'log'],
    control: { as: 'text', group: 'company', required: true },
  },
  mobile: {
    kind: 'phone',
    label: '联系手机',
    in: ['add', 'edit', 'log'],
    control: {
      as: 'text',
      group: 'company',
      required: true,
      missing: PARTNER_REFUSALS.MOBILE_FORMAT,
      inputMode: 'tel',
    },
  },
  accountFormat: {
    kind: 'word',
    label: '商户账号格式',
    words: ACCOUNT_FORMAT_WORDS,
    in: ['add', 'edit', 'log'],
    control: { as: 'own', first: 'standard' },
  },
  isVendorStaff: { kind: 'flag', label: '厂商员工', in: ['add', 'edit', 'log'], control: { as: 'switch' } },
  hasFullMenu: { kind: 'flag', label: '完整菜单', in: ['add', 'edit', 'log'], control: { as: 'switch' } },
  payEnabled: { kind: 'flag', label: '在线收款', in: ['add', 'edit', 'log'], control: { as: 'switch' } },
  contractFrom: {
    kind: 'day',
    label: '合同开始',
    nullable: true,
    none: '未约定',
    in: ['log'],
    control: { as: 'own' },
  },
  contractTo: {
    kind: 'day',
    label: '合同结束',
    nullable: true,
    none: '未约定',
    in: ['log'],
    control: { as: 'own' },
  },
  methods: { kind: 'text', label: '另外开放的支付方式', in: ['log'] },
  channels: { kind: 'text', label: '充值渠道', in: ['log'] },
  ownerLoginName: {
    kind: 'digits',
    label: '登录账号',
    in: ['add', 'log'],
    control: {
      as: 'text',
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
    control: { as: 'text', required: true, missing: PARTNER_REFUSALS.OWNER_NAME_REQUIRED },
  },
  ownerMobile: {
    kind: 'phone',
    label: '负责人手机',
    in: ['add', 'log'],
    control: {
      as: 'text',
      required: true,
      missing: PARTNER_REFUSALS.OWNER_MOBILE_FORMAT,
      hint: '已接入短信时，邀请发送到该号码',
      inputMode: 'tel',
    },
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

/** Another parent for a partner; none: right under the vendor. */
export const PARENT = {
  parentId: {
    kind: 'id',
    label: '新的上级',
    nullable: true,
    control: { as: 'own', hint: '不选为厂商直属。合作伙伴最多三级，已暂停或停用的不能作为上级' },
  },
} as const satisfies Fields

/** What is said of a partner, in the order of the form; with it go its methods of payment and its channels. */
export const TERMS = fieldsNamed(
  PARTNER_FIELDS,
  'companyName',
  'contactName',
  'mobile',
  'districtCode',
  'levelId',
  'parentId',
  'contractFrom',
  'contractTo',
  'accountFormat',
  'payEnabled',
  'hasFullMenu',
  'isVendorStaff',
)

/** A new partner: its terms, who is responsible, and what it begins with. */
export const NEW_PARTNER = {
  ...TERMS,
  ...fieldsNamed(PARTNER_FIELDS, 'ownerLoginName', 'ownerName', 'ownerMobile'),
  tokens: {
    kind: 'text',
    label: '开户代币',
    control: {
      as: 'text',
      inputMode: 'decimal',
      placeholder: '选填',
      hint: `最多 ${amountText(LEDGER_LIMITS.creditMax.token, '代币')}`,
    },
  },
} as const satisfies Fields
