// Where shops' own signatures are reviewed: at each SMS service whose settings name the vendor's qualification there, in the demo
// at the simulators.
import { readFileSync } from 'node:fs'
import type { Surroundings } from '#kit/ports/providers.ts'
import type { SignatureDesk } from '#kit/ports/signature-desk.ts'
import { ADDRESSES } from '#providers/addresses.ts'
import { makeAliyunSignatures } from '#providers/aliyun-sms/signatures.ts'
import type { Simulators } from '#providers/simulators.ts'
import { makeTencentSignatures } from '#providers/tencent-sms/signatures.ts'
import type { Env } from '#server/env.ts'

type Outside = Env['outside']
type Reader = (name: string) => string

/** Of the simulators' settings; none where a real service sends. */
export function simulatedDesks(
  settings: Simulators['settings'],
  surroundings: Surroundings,
): readonly SignatureDesk[] {
  return [
    makeAliyunSignatures({ ...settings.aliyun, ...settings.aliyunSignatures }, surroundings),
    makeTencentSignatures({ ...settings.tencent, ...settings.tencentSignatures }, surroundings),
  ]
}

/** A service without a qualification reviews nothing, and its messages carry the vendor's signature alone. */
export function realDesks(
  outside: Outside,
  needed: Reader,
  surroundings: Surroundings,
): readonly SignatureDesk[] {
  const desks: SignatureDesk[] = []
  if (outside.ALIYUN_SMS_QUALIFICATION_ID !== undefined)
    desks.push(
      makeAliyunSignatures(
        {
          baseUrl: outside.ALIYUN_SMS_BASE_URL ?? ADDRESSES.ALIYUN_SMS_BASE_URL,
          accessKeyId: needed('ALIYUN_SMS_ACCESS_KEY_ID'),
          accessKeySecret: needed('ALIYUN_SMS_ACCESS_KEY_SECRET'),
          qualificationId: outside.ALIYUN_SMS_QUALIFICATION_ID,
        },
        surroundings,
      ),
    )
  if (outside.TENCENT_SMS_QUALIFICATION_ID !== undefined)
    desks.push(
      makeTencentSignatures(
        {
          baseUrl: outside.TENCENT_SMS_BASE_URL ?? ADDRESSES.TENCENT_SMS_BASE_URL,
          secretId: needed('TENCENT_SMS_SECRET_ID'),
          secretKey: needed('TENCENT_SMS_SECRET_KEY'),
          region: outside.TENCENT_SMS_REGION ?? 'ap-guangzhou',
          qualificationId: outside.TENCENT_SMS_QUALIFICATION_ID,
          proofImage: readFileSync(needed('TENCENT_SMS_PROOF_PICTURE')).toString('base64'),
        },
        surroundings,
      ),
    )
  return desks
}
