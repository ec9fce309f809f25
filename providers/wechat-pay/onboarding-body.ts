// An application and a settlement account in the form of WeChat Pay's interfaces. What is absent is left out whole: an empty text
// or object is refused there.
import type {
  IdPaper,
  OnboardingApplication,
  SalesScene,
  SettlementAccount,
  Subject,
} from '#kit/ports/onboarding.ts'
import { ProviderRefused } from '#kit/ports/providers.ts'
import {
  ACCOUNT_TYPES,
  BANK_ACCOUNT_TYPES,
  CERTIFICATE_TYPES,
  ID_TYPES,
  SUBJECT_TYPES,
} from './onboarding-fields.ts'
import type { Sealer } from './transport.ts'
import { SENSITIVE_BYTES_MAX } from './wire.ts'

type Body = Record<string, unknown>

export function applicationBody(application: OnboardingApplication, sealer: Sealer): Body {
  const { businessCode, subject, identity, owners, business, settlement, account, additions } = application
  const seal = sealing(sealer)
  return without({
    business_code: businessCode,
    contact_info: contactInfo(application, seal),
    subject_info: {
      subject_type: SUBJECT_TYPES[subject.kind],
      ...subjectPaper(subject),
      identity_info: identityInfo(identity, subject, application.isOwner, seal),
      ubo_info_list: owners.map(owner => ownerInfo(owner, seal)),
    },
    business_info: {
      merchant_shortname: business.shortName,
      service_phone: business.servicePhone,
      sales_info: Object.assign(
        { sales_scenes_type: business.scenes.map(({ kind }) => SCENE_TYPES[kind]) },
        ...business.scenes.map(sceneInfo),
      ),
    },
    settlement_info: {
      settlement_id: settlement.id,
      qualification_type: settlement.qualificationType,
      qualifications: settlement.qualifications,
    },
    bank_account_info: {
      bank_account_type: BANK_ACCOUNT_TYPES[account.kind],
      bank_address_code: account.division,
      ...accountInfo(account, seal),
    },
    addition_info: {
      business_addition_pics: additions.pictures,
      business_addition_msg: additions.message,
    },
  }) as Body
}

export function accountBody(account: SettlementAccount, sealer: Sealer): Body {
  return without({
    account_type: ACCOUNT_TYPES[account.kind],
    bank_address_code: account.division,
    ...accountInfo(account, sealing(sealer)),
  }) as Body
}

type Seal = (name: string, text: string | undefined) => string | undefined

/** Says which field is too long, in the service's own form. */
function sealing({ seal }: Sealer): Seal {
  return (name, text) => {
    if (text === undefined || text === '') return undefined
    if (Buffer.byteLength(text) > SENSITIVE_BYTES_MAX)
      throw new ProviderRefused(
        'PARAM_ERROR',
        `输入源“/body/${name}”映射到字段超过${SENSITIVE_BYTES_MAX}字节`,
      )
    return seal(text)
  }
}

function contactInfo({ administrator }: OnboardingApplication, seal: Seal): Body {
  const { name, phone, email } = administrator
  const deputy = administrator.kind === 'deputy' ? administrator : null
  return {
    contact_type: deputy ? 'SUPER' : 'LEGAL',
    contact_name: seal('contact_name', name),
    ...(deputy && {
      contact_id_doc_type: ID_TYPES[deputy.paper.kind],
      contact_id_number: seal('contact_id_number', deputy.paper.number),
      contact_id_doc_copy: deputy.paper.front,
      contact_id_doc_copy_back: deputy.paper.back,
      contact_period_begin: deputy.paper.validFrom,
      contact_period_end: deputy.paper.validTo,
      business_authorization_letter: deputy.authorization,
    }),
    mobile_phone: seal('mobile_phone', phone),
    contact_email: seal('contact_email', email),
  }
}

function subjectPaper(subject: Subject): Body {
  const term = { period_begin: subject.validFrom, period_end: subject.validTo }
  const whose = { merchant_name: subject.name, legal_person: subject.legalPerson }
  return 'certificate' in subject
    ? {
        certificate_info: {
          cert_copy: subject.picture,
          cert_type: CERTIFICATE_TYPES[subject.certificate],
          cert_number: subject.number,
          ...whose,
          company_address: subject.address,
          ...term,
        },
      }
    : {
        business_license_info: {
          license_copy: subject.picture,
          license_number: subject.number,
          ...whose,
          license_address: subject.address,
          ...term,
        },
      }
}

function identityInfo(paper: IdPaper, { kind }: Subject, isOwner: boolean | undefined, seal: Seal): Body {
  const isPublic = kind === 'government' || kind === 'institution'
  // The address is asked of enterprises alone.
  const address = kind === 'enterprise' ? paper.address : undefined
  return {
    ...(isPublic ? { id_holder_type: 'LEGAL' } : {}),
    id_doc_type: ID_TYPES[paper.kind],
    ...(paper.kind === 'idCard'
      ? {
          id_card_info: {
            id_card_copy: paper.front,
            id_card_national: paper.back,
            id_card_name: seal('id_card_name', paper.name),
            id_card_number: seal('id_card_number', paper.number),
            id_card_address: seal('id_card_address', address),
            card_period_begin: paper.validFrom,
            card_period_end: paper.validTo,
          },
        }
      : {
          id_doc_info: {
            id_doc_copy: paper.front,
            id_doc_copy_back: paper.back,
            id_doc_name: seal('id_doc_name', paper.name),
            id_doc_number: seal('id_doc_number', paper.number),
            id_doc_address: seal('id_doc_address', address),
            doc_period_begin: paper.validFrom,
            doc_period_end: paper.validTo,
          },
        }),
    owner: kind === 'enterprise' ? isOwner : undefined,
  }
}

function ownerInfo(paper: IdPaper, seal: Seal): Body {
  return {
    ubo_id_doc_type: ID_TYPES[paper.kind],
    ubo_id_doc_copy: paper.front,
    ubo_id_doc_copy_back: paper.back,
    ubo_id_doc_name: seal('ubo_id_doc_name', paper.name),
    ubo_id_doc_number: seal('ubo_id_doc_number', paper.number),
    ubo_id_doc_address: seal('ubo_id_doc_address', paper.address),
    ubo_period_begin: paper.validFrom,
    ubo_period_end: paper.validTo,
  }
}

const SCENE_TYPES: Record<SalesScene['kind'], string> = {
  store: 'SALES_SCENES_STORE',
  officialAccount: 'SALES_SCENES_MP',
  miniProgram: 'SALES_SCENES_MINI_PROGRAM',
  app: 'SALES_SCENES_APP',
  website: 'SALES_SCENES_WEB',
}

/** The appid is the shop's own, not the service provider's. */
function sceneInfo(scene: SalesScene): Body {
  switch (scene.kind) {
    case 'store':
      return {
        biz_store_info: {
          biz_store_name: scene.name,
          biz_address_code: scene.division,
          biz_store_address: scene.address,
          store_entrance_pic: scene.entrance,
          indoor_pic: scene.indoor,
        },
      }
    case 'officialAccount':
      return { mp_info: { mp_sub_appid: scene.appid, mp_pics: scene.pictures } }
    case 'miniProgram':
      return {
        mini_program_info: { mini_program_sub_appid: scene.appid, mini_program_pics: scene.pictures },
      }
    case 'app':
      return { app_info: { app_sub_appid: scene.appid, app_pics: scene.pictures } }
    case 'website':
      return { web_info: { domain: scene.domain, web_authorisation: scene.authorization } }
  }
}

function accountInfo({ holder, number, bank, branch }: SettlementAccount, seal: Seal): Body {
  return {
    account_name: seal('account_name', holder),
    account_bank: bank,
    bank_branch_id: branch?.number,
    bank_name: branch?.name,
    account_number: seal('account_number', number),
  }
}

/** Without what is empty, at any depth; undefined where nothing is left. */
function without(value: unknown): unknown {
  if (value === '' || value === null) return undefined
  if (Array.isArray(value)) {
    const left = value.map(without).filter(one => one !== undefined)
    return left.length > 0 ? left : undefined
  }
  if (typeof value !== 'object') return value
  const left = Object.entries(value as Body)
    .map(([name, one]) => [name, without(one)] as const)
    .filter(([, one]) => one !== undefined)
  return left.length > 0 ? Object.fromEntries(left) : undefined
}
