// Tencent's captcha (2019-07-22, DescribeCaptchaResult) as a verifier. [K] the prefixes of tickets that the page makes
// itself while the service is down: they prove nothing, so they never pass.
import {
  type CaptchaVerifier,
  ProviderRefused,
  ProviderUnknown,
  type Surroundings,
} from '#kit/ports/providers.ts'
import { callTencent } from '../tencent-call.ts'

export type TencentCaptchaSettings = {
  baseUrl: string
  secretId: string
  secretKey: string
  captchaAppId: number
  appSecretKey: string
}

const SLIDE = 9
const PASSED = 1
/** Our AppSecretKey does not belong to our CaptchaAppId: nobody would ever pass. */
const WRONG_SETTINGS = 100
const MALICIOUS = 100
const DISASTER = /^tr?error_/
const FIELD_MAX = 4096

/** `proof` has what the page's puzzle gave: ticket and randstr. */
export function makeTencentCaptcha(
  settings: TencentCaptchaSettings,
  surroundings: Surroundings,
): CaptchaVerifier {
  return { name: 'tencent', verify: (proof, ip) => verify(settings, surroundings, proof, ip) }
}

async function verify(
  settings: TencentCaptchaSettings,
  surroundings: Surroundings,
  { ticket = '', randstr = '' }: Record<string, string>,
  ip: string,
): Promise<boolean> {
  if (!ticket || !randstr || ticket.length > FIELD_MAX || randstr.length > FIELD_MAX) return false
  if (DISASTER.test(ticket)) return false
  const response = await callTencent(
    { ...settings, service: 'captcha', version: '2019-07-22' },
    surroundings,
    'DescribeCaptchaResult',
    {
      CaptchaType: SLIDE,
      Ticket: ticket,
      UserIp: ip,
      Randstr: randstr,
      CaptchaAppId: settings.captchaAppId,
      AppSecretKey: settings.appSecretKey,
    },
  )
  const code = response.CaptchaCode
  if (typeof code !== 'number')
    throw new ProviderUnknown('DescribeCaptchaResult answered without CaptchaCode')
  if (code === WRONG_SETTINGS)
    throw new ProviderRefused(
      `CaptchaCode.${code}`,
      String(response.CaptchaMsg ?? ''),
      String(response.RequestId),
    )
  return code === PASSED && response.EvilLevel !== MALICIOUS
}
