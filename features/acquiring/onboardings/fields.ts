// What is completed of an application for the payment service.
import type { Fields } from '#kit/declare/fields.ts'
import { LIMITS, ONBOARDED_SUBJECTS } from './rules.ts'

export const DETAILS = {
  subjectKind: {
    kind: 'word',
    label: '主体类型',
    words: ONBOARDED_SUBJECTS,
    control: {
      as: 'choice',
      look: 'buttons',
      required: true,
      first: 'individual',
      hint: '按营业执照上的类型选择',
    },
  },
  licenceAddress: {
    kind: 'text',
    label: '执照地址',
    max: LIMITS.address,
    control: { as: 'text' },
  },
  licenceFrom: { kind: 'day', label: '执照有效期起', control: { as: 'day', half: true } },
  licenceTo: { kind: 'day', label: '执照有效期止', control: { as: 'day', half: true } },
  isLicenceLongTerm: { kind: 'flag', label: '执照长期有效', control: { as: 'switch' } },
  idFrom: { kind: 'day', label: '身份证有效期起', control: { as: 'day', half: true } },
  idTo: { kind: 'day', label: '身份证有效期止', control: { as: 'day', half: true } },
  isIdLongTerm: { kind: 'flag', label: '身份证长期有效', control: { as: 'switch' } },
  idAddress: {
    kind: 'text',
    label: '身份证住址',
    max: LIMITS.address,
    control: { as: 'text', hint: '企业必填' },
  },
  isOwner: {
    kind: 'flag',
    label: '法定代表人为受益所有人',
    control: { as: 'switch', first: true, hint: '企业须说明' },
  },
  shortName: {
    kind: 'text',
    label: '商户简称',
    max: LIMITS.shortName,
    control: { as: 'text', half: true, hint: '顾客付款后看到的名称' },
  },
  servicePhone: {
    kind: 'phone',
    label: '客服电话',
    max: LIMITS.servicePhone,
    control: { as: 'text', half: true, inputMode: 'tel' },
  },
  category: { kind: 'text', label: '所属行业', control: { as: 'own' } },
  accountNumber: {
    kind: 'digits',
    label: '银行账号',
    max: LIMITS.accountNumber,
    control: { as: 'text', inputMode: 'numeric' },
  },
} as const satisfies Fields
