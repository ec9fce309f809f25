// By which names WeChat Pay's interfaces call the parts of an application, in both directions.
import type {
  AccountKind,
  CertificateKind,
  IdPaperKind,
  OnboardingField,
  OnboardingState,
  SubjectKind,
} from '#kit/ports/onboarding.ts'

export const STATES: Record<string, OnboardingState> = {
  APPLYMENT_STATE_EDITTING: 'editing',
  APPLYMENT_STATE_AUDITING: 'auditing',
  APPLYMENT_STATE_REJECTED: 'rejected',
  APPLYMENT_STATE_TO_BE_CONFIRMED: 'toBeConfirmed',
  APPLYMENT_STATE_TO_BE_SIGNED: 'toBeSigned',
  APPLYMENT_STATE_SIGNING: 'signing',
  APPLYMENT_STATE_FINISHED: 'finished',
  APPLYMENT_STATE_CANCELED: 'canceled',
}

export const SUBJECT_TYPES: Record<SubjectKind, string> = {
  individual: 'SUBJECT_TYPE_INDIVIDUAL',
  enterprise: 'SUBJECT_TYPE_ENTERPRISE',
  government: 'SUBJECT_TYPE_GOVERNMENT',
  institution: 'SUBJECT_TYPE_INSTITUTIONS',
  organization: 'SUBJECT_TYPE_OTHERS',
}

export const CERTIFICATE_TYPES: Record<CertificateKind, string> = {
  institutionLegalPerson: 'CERTIFICATE_TYPE_2388',
  creditCode: 'CERTIFICATE_TYPE_2389',
  socialGroup: 'CERTIFICATE_TYPE_2394',
  privateNonEnterprise: 'CERTIFICATE_TYPE_2395',
  foundation: 'CERTIFICATE_TYPE_2396',
  practice: 'CERTIFICATE_TYPE_2520',
  grassroots: 'CERTIFICATE_TYPE_2521',
  ruralCollective: 'CERTIFICATE_TYPE_2522',
  religiousSite: 'CERTIFICATE_TYPE_2399',
  otherProof: 'CERTIFICATE_TYPE_2400',
}

export const ID_TYPES: Record<IdPaperKind, string> = {
  idCard: 'IDENTIFICATION_TYPE_IDCARD',
  overseaPassport: 'IDENTIFICATION_TYPE_OVERSEA_PASSPORT',
  hongKongPermit: 'IDENTIFICATION_TYPE_HONGKONG_PASSPORT',
  macaoPermit: 'IDENTIFICATION_TYPE_MACAO_PASSPORT',
  taiwanPermit: 'IDENTIFICATION_TYPE_TAIWAN_PASSPORT',
  foreignResident: 'IDENTIFICATION_TYPE_FOREIGN_RESIDENT',
  hongKongMacaoResident: 'IDENTIFICATION_TYPE_HONGKONG_MACAO_RESIDENT',
  taiwanResident: 'IDENTIFICATION_TYPE_TAIWAN_RESIDENT',
}

/** In an application. */
export const BANK_ACCOUNT_TYPES: Record<AccountKind, string> = {
  corporate: 'BANK_ACCOUNT_TYPE_CORPORATE',
  private: 'BANK_ACCOUNT_TYPE_PERSONAL',
}
/** Where the account of a merchant is asked for or changed. */
export const ACCOUNT_TYPES: Record<AccountKind, string> = {
  corporate: 'ACCOUNT_TYPE_BUSINESS',
  private: 'ACCOUNT_TYPE_PRIVATE',
}

const FIELDS: Record<string, OnboardingField> = {
  contact_type: 'administratorKind',
  contact_name: 'administratorName',
  contact_id_doc_type: 'administratorIdKind',
  contact_id_number: 'administratorIdNumber',
  contact_id_card_number: 'administratorIdNumber',
  contact_id_doc_copy: 'administratorIdFront',
  contact_id_doc_copy_back: 'administratorIdBack',
  contact_period_begin: 'administratorIdTerm',
  contact_period_end: 'administratorIdTerm',
  business_authorization_letter: 'administratorAuthorization',
  mobile_phone: 'administratorPhone',
  contact_email: 'administratorEmail',
  subject_type: 'subjectKind',
  license_copy: 'licencePicture',
  license_number: 'licenceNumber',
  merchant_name: 'subjectName',
  legal_person: 'legalPerson',
  license_address: 'licenceAddress',
  company_address: 'licenceAddress',
  period_begin: 'licenceTerm',
  period_end: 'licenceTerm',
  cert_copy: 'certificatePicture',
  cert_type: 'certificateKind',
  cert_number: 'certificateNumber',
  id_doc_type: 'idKind',
  id_card_copy: 'idFront',
  id_doc_copy: 'idFront',
  id_card_national: 'idBack',
  id_doc_copy_back: 'idBack',
  id_card_name: 'idName',
  id_doc_name: 'idName',
  id_card_number: 'idNumber',
  id_doc_number: 'idNumber',
  id_card_address: 'idAddress',
  id_doc_address: 'idAddress',
  card_period_begin: 'idTerm',
  card_period_end: 'idTerm',
  doc_period_begin: 'idTerm',
  doc_period_end: 'idTerm',
  owner: 'isOwner',
  ubo_info_list: 'owners',
  ubo_id_doc_type: 'ownerIdKind',
  ubo_id_doc_copy: 'ownerIdFront',
  ubo_id_doc_copy_back: 'ownerIdBack',
  ubo_id_doc_name: 'ownerName',
  ubo_id_doc_number: 'ownerIdNumber',
  ubo_id_doc_address: 'ownerIdAddress',
  ubo_period_begin: 'ownerIdTerm',
  ubo_period_end: 'ownerIdTerm',
  merchant_shortname: 'shortName',
  service_phone: 'servicePhone',
  sales_info: 'scenes',
  sales_scenes_type: 'scenes',
  biz_store_name: 'storeName',
  biz_address_code: 'storeCity',
  biz_store_address: 'storeAddress',
  store_entrance_pic: 'entrancePictures',
  indoor_pic: 'indoorPictures',
  mp_sub_appid: 'sceneAppid',
  mini_program_sub_appid: 'sceneAppid',
  app_sub_appid: 'sceneAppid',
  mp_pics: 'scenePictures',
  mini_program_pics: 'scenePictures',
  app_pics: 'scenePictures',
  domain: 'sceneDomain',
  web_authorisation: 'sceneAuthorization',
  settlement_id: 'settlementId',
  qualification_type: 'qualificationType',
  qualifications: 'qualifications',
  bank_account_type: 'accountKind',
  account_type: 'accountKind',
  account_name: 'accountHolder',
  account_bank: 'accountBank',
  bank_address_code: 'accountCity',
  bank_branch_id: 'accountBranch',
  bank_name: 'accountBranch',
  account_number: 'accountNumber',
  business_addition_pics: 'additionPictures',
  business_addition_msg: 'additionMessage',
}

/** Of a name alone or of a path that ends in one, `/body/business_info/sales_info/biz_store_info/indoor_pic/0`; null where it is not ours. */
export function fieldOf(path: string): OnboardingField | null {
  const name = path
    .split(/[/.[\]]+/)
    .filter(part => !/^\d*$/.test(part))
    .at(-1)
  return FIELDS[name ?? ''] ?? (/\bubo_/.test(path) ? 'owners' : null)
}

/** Which of the beneficial owners a path names: `ubo_info_list/1/ubo_id_doc_number` the second; nothing where it names none. */
export function placeOf(path: string): { place?: number } {
  const place = /\bubo_info_list[/.[](\d+)/.exec(path)?.[1]
  return place === undefined ? {} : { place: Number(place) }
}

export function keyOf<K extends string>(names: Record<K, string>, name: string): K | undefined {
  return (Object.keys(names) as K[]).find(key => names[key] === name)
}
