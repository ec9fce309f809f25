// GeeTest v4 as a verifier. The vendor advises to let people pass while its service is down; here an outage is
// ProviderUnknown, for what stands behind the puzzle costs money. [K] the codes of `status: error`.
import {
  type CaptchaVerifier,
  ProviderRefused,
  ProviderUnknown,
  type Surroundings,
} from '#kit/ports/providers.ts'
import { call } from '../call.ts'
import { membersOf, parseAnswer } from '../read.ts'
import { signToken } from './wire.ts'

export type GeetestSettings = { baseUrl: string; captchaId: string; captchaKey: string }

const FIELDS = ['lot_number', 'captcha_output', 'pass_token', 'gen_time'] as const
const FIELD_MAX = 8192

/** `proof` has what the page's puzzle gave: lot_number, captcha_output, pass_token, gen_time. */
export function makeGeetest(settings: GeetestSettings, surroundings: Surroundings): CaptchaVerifier {
  return { name: 'geetest', verify: proof => verify(settings, surroundings, proof) }
}

async function verify(
  { baseUrl, captchaId, captchaKey }: GeetestSettings,
  surroundings: Surroundings,
  proof: Record<string, string>,
): Promise<boolean> {
  const fields = FIELDS.map(name => [name, proof[name] ?? ''] as const)
  if (!fields.every(([, value]) => value !== '' && value.length <= FIELD_MAX)) return false
  const url = new URL('/validate', baseUrl)
  url.searchParams.set('captcha_id', captchaId)
  const form = new URLSearchParams({
    ...Object.fromEntries(fields),
    sign_token: signToken(proof.lot_number as string, captchaKey),
  })
  const answer = await call(surroundings, url.href, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: form.toString(),
  })
  if (answer.status !== 200) throw new ProviderUnknown(`validate answered HTTP ${answer.status}`)
  return readAnswer(answer.body)
}

function readAnswer(body: Buffer): boolean {
  const { status, result, code, msg } = membersOf(parseAnswer('validate', body))
  if (status === 'error')
    throw new ProviderRefused(String(code ?? 'error'), String(msg ?? 'validate refused'))
  const isRead = status === 'success' && (result === 'success' || result === 'fail')
  if (!isRead) throw new ProviderUnknown('validate answered what cannot be read')
  return result === 'success'
}
