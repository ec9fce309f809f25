// A shop's signature at Aliyun (Dysmsapi 2017-05-25): CreateSmsSign, UpdateSmsSign for what was refused, GetSmsSign. It is handed in
// under the vendor's own qualification, which was approved at the service's console. [K], to be confirmed with real credentials:
// the code for a signature that is not there, and which codes of CreateSmsSign are about the signature.
import { ProviderBusy, ProviderRefused, ProviderUnknown, type Surroundings } from '#kit/ports/providers.ts'
import type {
  CarrierFact,
  CarrierState,
  HandInTrouble,
  SignatureDesk,
  SignatureFact,
  SignatureStanding,
} from '#kit/ports/signature-desk.ts'
import { membersOf } from '../read.ts'
import { type AliyunSmsSettings, askAliyunSms } from './client.ts'

export type AliyunSignatureSettings = AliyunSmsSettings & { qualificationId: string }

/** The full or short name of an enterprise. */
const SIGN_SOURCE = '0'
const NOT_THERE = ['isv.SIGN_NOT_EXIST', 'isv.SMS_SIGN_NOT_EXIST', 'isv.SMS_SIGNATURE_ILLEGAL']
const OF_THE_SIGNATURE = /^isv\.(SIGN_(NAME|FAIL|OVER|SOURCE|FILE|EXIST)|SMS_SIGN|INVALID_SIGN|BLACK_KEY)/
const STANDINGS: Record<string, SignatureStanding> = {
  0: 'reviewing',
  1: 'approved',
  2: 'refused',
  10: 'ended',
}
const CARRIER_STATES: Record<string, CarrierState> = {
  '-2': 'none',
  '-1': 'registering',
  0: 'failed',
  1: 'checking',
  2: 'lapsed',
  3: 'done',
}
const CARRIERS: readonly string[] = ['mobile', 'unicom', 'telecom'] satisfies CarrierFact['carrier'][]

export function makeAliyunSignatures(
  settings: AliyunSignatureSettings,
  surroundings: Surroundings,
): SignatureDesk {
  const call = (action: string, parameters: Record<string, string>) =>
    askAliyunSms(settings, surroundings, action, parameters).catch(busyWhereThrottled)
  return {
    name: 'aliyun',
    async ask(signature) {
      try {
        return readSign(await call('GetSmsSign', { SignName: signature }))
      } catch (error) {
        if (error instanceof ProviderRefused && NOT_THERE.includes(error.code)) return UNKNOWN_THERE
        throw error
      }
    },
    async handIn({ signature, remark }, { standing }) {
      const body = await call(standing === 'none' ? 'CreateSmsSign' : 'UpdateSmsSign', {
        SignName: signature,
        SignSource: SIGN_SOURCE,
        SignType: '1',
        ThirdParty: 'false',
        QualificationId: settings.qualificationId,
        Remark: remark,
      })
      return String(body.OrderId ?? '')
    },
    troubleOf: (code): HandInTrouble => (OF_THE_SIGNATURE.test(code) ? 'signature' : 'account'),
  }
}

const UNKNOWN_THERE: SignatureFact = { standing: 'none', serviceId: '', reason: '', carriers: [] }

function busyWhereThrottled(error: unknown): never {
  if (error instanceof ProviderRefused && /^Throttling(\.|$)/.test(error.code))
    throw new ProviderBusy(error.code, error.message, error.reference)
  throw error
}

function readSign(body: Record<string, unknown>): SignatureFact {
  const standing = STANDINGS[String(body.SignStatus)]
  if (!standing) throw new ProviderUnknown(`GetSmsSign answered SignStatus ${String(body.SignStatus)}`)
  const rows = Array.isArray(body.SignIspRegisterDetailList) ? body.SignIspRegisterDetailList : []
  return {
    standing,
    serviceId: String(body.OrderId ?? ''),
    reason: String(membersOf(body.AuditInfo).RejectInfo ?? ''),
    carriers: rows.map(membersOf).flatMap(row => {
      const state = CARRIER_STATES[String(row.RegisterStatus)]
      const carrier = String(row.OperatorCode)
      return state && CARRIERS.includes(carrier)
        ? [{ carrier: carrier as CarrierFact['carrier'], state }]
        : []
    }),
  }
}
