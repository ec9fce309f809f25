// What is completed of an application for the payment service.
import type { DocumentKind } from '#features/care/documents/rules.ts'
import type { Fields } from '#kit/declare/fields.ts'
import { ID_PAPER_KINDS } from '#kit/ports/onboarding.ts'
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
      hint: '按营业执照上的类型选择；没有营业执照的商户，请在支付服务的商户平台自行申请',
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
    control: { as: 'switch', first: true, hint: '企业须说明；另有受益所有人的，保存后在「办理人员」中添加' },
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

/** Somebody beside the legal person. */
export const PERSON = {
  idKind: {
    kind: 'word',
    label: '证件类型',
    words: ID_PAPER_KINDS,
    control: { as: 'select', required: true, first: 'idCard' },
  },
  name: {
    kind: 'text',
    label: '姓名',
    max: LIMITS.personName,
    control: { as: 'text', required: true, half: true },
  },
  idNumber: {
    kind: 'digits',
    label: '证件号码',
    max: LIMITS.personNumber,
    control: { as: 'text', half: true, inputMode: 'text' },
  },
  idFrom: { kind: 'day', label: '证件有效期起', control: { as: 'day', required: true, half: true } },
  idTo: { kind: 'day', label: '证件有效期止', control: { as: 'day', half: true } },
  isIdLongTerm: { kind: 'flag', label: '证件长期有效', control: { as: 'switch' } },
  address: { kind: 'text', label: '证件住址', max: LIMITS.address, control: { as: 'text' } },
} as const satisfies Fields

/** The pictures of it, which the form holds beside its fields. */
export const PERSON_PAPERS = {
  frontId: '证件正面照片',
  backId: '证件反面照片',
  authorizationId: '业务办理授权函',
} as const

/** Of which kind each of them is among the papers of the shop. */
export const PERSON_PAPER_KINDS = {
  frontId: 'personIdFront',
  backId: 'personIdBack',
  authorizationId: 'authorizationLetter',
} as const satisfies Record<keyof typeof PERSON_PAPERS, DocumentKind>
