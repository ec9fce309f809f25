// Brings shops in to TianQue (进件): pictures, an application, what came of it, the same application mended after a refusal, and the settlement
// account of a merchant changed later.
// [D] Of its published documents as public programs quote them: paths, names of fields and which are wanted when, states of an
// application, types of pictures. [K] Not tried with the real service: see `providers/README.md`.
import type {
  AcquirerAccountChange,
  AcquirerApplication,
  AcquirerOnboardingDesk,
} from '#kit/ports/acquirer-onboarding.ts'
import { type AcquirerPaper, TIANQUE_FORM } from '#kit/ports/acquirers.ts'
import { ProviderUnreadable, type Surroundings } from '#kit/ports/providers.ts'
import { textOrNull } from '../read.ts'
import { reasonsOf, troubleOf } from './onboarding-troubles.ts'
import { askPlatform, type TianqueSettings, uploadPicture } from './transport.ts'
import type { RequestData } from './wire.ts'

type Asked = { field: string; type: string }
/** By our kinds: the field of the application, and the type under which it is uploaded. */
const PICTURES: Readonly<Partial<Record<AcquirerPaper, Asked>>> = {
  businessLicence: { field: 'licensePic', type: '13' },
  idCardFront: { field: 'legalPersonidPositivePic', type: '02' },
  idCardBack: { field: 'legalPersonidOppositePic', type: '03' },
  accountPermit: { field: 'openingAccountLicensePic', type: '04' },
  bankCard: { field: 'bankCardPositivePic', type: '05' },
  shopFront: { field: 'storePic', type: '10' },
  shopInside: { field: 'insideScenePic', type: '11' },
}

function askedOf(paper: AcquirerPaper): Asked {
  const asked = PICTURES[paper]
  if (!asked) throw new RangeError(`TianQue asks for no picture of ${paper}`)
  return asked
}

export function makeTianqueOnboarding(
  settings: TianqueSettings,
  surroundings: Surroundings,
): AcquirerOnboardingDesk {
  return {
    pictureBytesMax: 2 * 1024 * 1024,
    upload: (paper, picture) => uploadPicture(settings, surroundings, askedOf(paper).type, picture),
    async submit(application) {
      const path = application.refusedMerchant === null ? '/merchant/income' : '/merchant/updateMerchantInfo'
      const { requestNo } = application
      const answer = await askPlatform(settings, surroundings, path, formOf(application), requestNo)
      const applicationId = textOrNull(answer.applicationId)
      if (applicationId === null) throw new ProviderUnreadable(`${path} answered no applicationId`)
      return { applicationId, merchant: textOrNull(answer.mno) ?? '' }
    },
    async ask(applicationId) {
      const path = '/merchant/queryMerchantInfo'
      const answer = await askPlatform(settings, surroundings, path, { applicationId })
      const merchant = textOrNull(answer.mno) ?? ''
      switch (String(answer.taskStatus ?? '')) {
        case '0':
          return { state: 'reviewing', merchant }
        case '1':
          if (merchant === '') throw new ProviderUnreadable(`${path} answered no mno of what was taken on`)
          return { state: 'opened', merchant }
        case '2':
          return { state: 'refused', merchant, reasons: reasonsOf(textOrNull(answer.suggestion) ?? '') }
        default:
          throw new ProviderUnreadable(`${path} answered the state ${String(answer.taskStatus)}`)
      }
    },
    async changeAccount(change) {
      const path = '/merchant/editMerchantInfo'
      const answer = await askPlatform(settings, surroundings, path, accountOf(change), change.requestNo)
      const changeId = textOrNull(answer.applicationId)
      if (changeId === null) throw new ProviderUnreadable(`${path} answered no applicationId`)
      return { changeId }
    },
    async askChange(applicationId) {
      const path = '/merchant/queryModifyResult'
      const answer = await askPlatform(settings, surroundings, path, { applicationId })
      const reason = textOrNull(answer.suggestion) ?? ''
      switch (String(answer.taskStatus ?? '')) {
        case '4':
          return { state: 'auditing', reason: '' }
        case '5':
          return { state: 'done', reason: '' }
        case '6':
          return { state: 'refused', reason }
        default:
          throw new ProviderUnreadable(`${path} answered the state ${String(answer.taskStatus)}`)
      }
    },
    troubleOf,
  }
}

/** As in an application: of all that may be changed the account alone is named. */
function accountOf(change: AcquirerAccountChange): RequestData {
  const isPrivate = change.kind === 'private'
  return {
    ...{ mno: change.merchant, actNm: change.holder, actTyp: isPrivate ? '01' : '00', actNo: change.number },
    ...(isPrivate ? { stmManIdNo: change.idNumber } : {}),
    ...{ lbnkNo: change.branchNumber, lbnkNm: change.branchName },
    [askedOf(change.picture.paper).field]: change.picture.name,
  }
}

/** An offline shop of its own, whose account is its own. */
function formOf({ refusedMerchant, known, district, pictures }: AcquirerApplication): RequestData {
  const isPrivate = known.payType === 'private'
  const named = Object.entries(pictures).map(([paper, name]) => [
    askedOf(paper as AcquirerPaper).field,
    name as string,
  ])
  return {
    ...(refusedMerchant === null ? {} : { mno: refusedMerchant }),
    ...{ mecDisNm: known.shortName, mblNo: known.contactPhone, operationalType: '01' },
    // 92: a shop of one person (个体工商户).
    ...{ haveLicenseNo: known.creditCode.startsWith('92') ? '02' : '03', mecTypeFlag: '00' },
    qrcodeList: TIANQUE_FORM.qrcodeList(known.rate),
    ...{ cprRegNmCn: known.company, registCode: known.creditCode, licenseMatch: '00' },
    cprRegAddr: known.address,
    regProvCd: TIANQUE_FORM.regProvCd(district),
    regCityCd: TIANQUE_FORM.regCityCd(district),
    regDistCd: TIANQUE_FORM.regDistCd(district),
    ...{ mccCd: known.category, csTelNo: known.contactPhone.replaceAll('-', '') },
    ...(known.email === '' ? {} : { email: known.email }),
    ...{ identityName: known.legalPerson, identityTyp: '00', identityNo: known.idNumber },
    ...{ actNm: known.accountName, actTyp: isPrivate ? '01' : '00', actNo: known.accountNumber },
    ...(isPrivate ? { stmManIdNo: known.idNumber } : {}),
    ...{ lbnkNo: known.branchNumber, lbnkNm: known.branchName },
    ...Object.fromEntries(named),
  }
}
