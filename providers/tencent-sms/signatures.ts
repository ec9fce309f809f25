// A shop's signature at Tencent (2021-01-11): AddSmsSign, ModifySmsSign for what was refused, DescribeSmsSignList. It is handed in for
// the vendor's own use, under a qualification that was approved at the service's console and with the picture that proves it. A list
// cannot be asked by name, so that one whose number is not known is looked for among all. [K], to be confirmed with real credentials:
// which codes are about the signature.
import { ProviderBusy, ProviderRefused, ProviderUnknown, type Surroundings } from '#kit/ports/providers.ts'
import type {
  HandInTrouble,
  SignatureDesk,
  SignatureFact,
  SignatureStanding,
} from '#kit/ports/signature-desk.ts'
import { type Members, membersOf } from '../read.ts'
import { callTencent } from '../tencent-call.ts'
import type { TencentSmsSettings } from './client.ts'

export type TencentSignatureSettings = Omit<TencentSmsSettings, 'sdkAppId'> & {
  qualificationId: string
  /** The vendor's licence: a JPEG or PNG in base64. */
  proofImage: string
}

const COMPANY = 0
const LICENCE = 1
const MAINLAND = 0
const OWN_USE = 0
const PAGE = 100
const PAGES_MAX = 100
const OF_THE_SIGNATURE =
  /^(InvalidParameter\.DirtyWordFound|InvalidParameterValue\.Sign|FailedOperation\.(Sign|ContainSensitiveWord))/
/** 2: approved, and not in effect yet. */
const STANDINGS: Record<string, SignatureStanding> = {
  0: 'approved',
  1: 'reviewing',
  2: 'reviewing',
  '-1': 'refused',
}

export function makeTencentSignatures(
  settings: TencentSignatureSettings,
  surroundings: Surroundings,
): SignatureDesk {
  const service = { ...settings, service: 'sms', version: '2021-01-11' }
  const call = (action: string, parameters: object) =>
    callTencent(service, surroundings, action, parameters).catch(busyWhereThrottled)
  const listed = async (which: object): Promise<Members[]> => {
    const body = await call('DescribeSmsSignList', { International: MAINLAND, ...which })
    const rows = body.DescribeSignListStatusSet
    if (!Array.isArray(rows)) throw new ProviderUnknown('DescribeSmsSignList answered without a list')
    return rows.map(membersOf)
  }
  async function find(signature: string): Promise<Members | undefined> {
    let found: Members | undefined
    for (let page = 0; page < PAGES_MAX; page++) {
      const rows = await listed({ Limit: PAGE, Offset: page * PAGE })
      // Of several of one name the one that may be used, else the latest.
      for (const row of rows)
        if (row.SignName === signature && (!found || row.StatusCode === 0 || found.StatusCode !== 0))
          found = row
      if (rows.length < PAGE) return found
    }
    throw new ProviderUnknown(`DescribeSmsSignList has no end after ${PAGES_MAX} pages`)
  }
  return {
    name: 'tencent',
    async ask(signature, serviceId) {
      const row =
        serviceId === '' ? await find(signature) : (await listed({ SignIdSet: [Number(serviceId)] }))[0]
      return row ? readSign(row) : { standing: 'none', serviceId: '', reason: '', carriers: [] }
    },
    async handIn({ signature, remark }, { standing, serviceId }) {
      const isNew = standing === 'none'
      const body = await call(isNew ? 'AddSmsSign' : 'ModifySmsSign', {
        ...(isNew ? {} : { SignId: Number(serviceId) }),
        SignName: signature,
        SignType: COMPANY,
        DocumentType: LICENCE,
        International: MAINLAND,
        SignPurpose: OWN_USE,
        ProofImage: settings.proofImage,
        QualificationId: Number(settings.qualificationId),
        Remark: remark,
      })
      const { SignId } = membersOf(isNew ? body.AddSignStatus : body.ModifySignStatus)
      return SignId === undefined ? serviceId : String(SignId)
    },
    troubleOf: (code): HandInTrouble => (OF_THE_SIGNATURE.test(code) ? 'signature' : 'account'),
  }
}

function busyWhereThrottled(error: unknown): never {
  if (error instanceof ProviderRefused && error.code.startsWith('RequestLimitExceeded'))
    throw new ProviderBusy(error.code, error.message, error.reference)
  throw error
}

function readSign(row: Members): SignatureFact {
  const standing = STANDINGS[String(row.StatusCode)]
  if (!standing)
    throw new ProviderUnknown(`DescribeSmsSignList answered StatusCode ${String(row.StatusCode)}`)
  return {
    standing,
    serviceId: String(row.SignId ?? ''),
    reason: String(row.ReviewReply ?? ''),
    carriers: [],
  }
}
