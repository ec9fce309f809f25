// Tencent's captcha on loopback, for tests. Differs from the real service: `solve` gives what the page's puzzle would
// give, and EvilLevel is always said.
import { randomBytes, randomInt } from 'node:crypto'
import { type RunningSimulator, startSimulator } from '../simulator.ts'
import { refuseTc3, tencentAnswer, tencentError } from '../tc3-verifier.ts'

export type TencentCaptchaKeys = {
  secretId: string
  secretKey: string
  captchaAppId: number
  appSecretKey: string
}
export type SolvedAs = 'person' | 'malicious'

const LIFE_MS = 300_000

export function makeTencentCaptchaKeys(): TencentCaptchaKeys {
  return {
    secretId: `AKID${randomBytes(16).toString('hex')}`,
    secretKey: randomBytes(16).toString('hex'),
    captchaAppId: randomInt(190_000_000, 199_999_999),
    appSecretKey: randomBytes(12).toString('hex'),
  }
}

export function tencentCaptchaSettings(keys: TencentCaptchaKeys, url: string) {
  return { baseUrl: url, ...keys }
}

/** A ticket serves once and lives five minutes. */
export async function startTencentCaptchaSimulator(
  { keys }: { keys: TencentCaptchaKeys },
  port = 0,
): Promise<RunningSimulator & { solve(as?: SolvedAs): { ticket: string; randstr: string } }> {
  const solved = new Map<string, { randstr: string; as: SolvedAs; atMs: number; isUsed: boolean }>()
  const outcome = (code: number, message: string, evilLevel = 0) =>
    tencentAnswer({ CaptchaCode: code, CaptchaMsg: message, EvilLevel: evilLevel, GetCaptchaTime: 0 })
  const running = await startSimulator(
    {
      nameOf: ({ path, headers }) => (path === '/' ? String(headers['x-tc-action'] ?? 'none') : null),
      errorOf: tencentError,
      handle(name, request, control) {
        const refused = refuseTc3(request, keys, 'captcha', control)
        if (refused) return refused
        if (name !== 'DescribeCaptchaResult')
          return tencentError('InvalidAction', 'The action does not exist.')
        const asked = JSON.parse(request.body.toString()) as Record<string, unknown>
        if (asked.CaptchaType !== 9 || !asked.UserIp)
          return tencentError('MissingParameter', 'CaptchaType or UserIp is missing.')
        if (asked.CaptchaAppId !== keys.captchaAppId || asked.AppSecretKey !== keys.appSecretKey)
          return outcome(100, 'appid-secretkey-ticket mismatch')
        const known = solved.get(String(asked.Ticket))
        if (!known) return outcome(15, 'decrypt fail')
        if (known.randstr !== asked.Randstr) return outcome(7, 'captcha no match')
        if (control.now().getTime() - known.atMs > LIFE_MS) return outcome(8, 'ticket expired')
        if (known.isUsed) return outcome(9, 'ticket reused')
        known.isUsed = true
        return outcome(1, 'OK', known.as === 'malicious' ? 100 : 0)
      },
    },
    port,
  )
  return {
    ...running,
    solve(as = 'person') {
      const ticket = `t03${randomBytes(32).toString('base64url')}`
      const randstr = `@${randomBytes(2).toString('hex')}`
      solved.set(ticket, { randstr, as, atMs: running.control.now().getTime(), isUsed: false })
      return { ticket, randstr }
    },
  }
}
