// GeeTest v4 on loopback, for tests. Differs from the real service: `solve` gives what the page's puzzle would give; the
// error code of a wrong sign_token is our own, and captcha_args hold nothing but the puzzle's kind.
import { createHmac, randomBytes, randomUUID } from 'node:crypto'
import { json, type RunningSimulator, type SimAnswer, startSimulator } from '../simulator.ts'

export type GeetestKeys = { captchaId: string; captchaKey: string }

const LIFE_MS = 600_000

export function makeGeetestKeys(): GeetestKeys {
  return { captchaId: randomBytes(16).toString('hex'), captchaKey: randomBytes(16).toString('hex') }
}

export function geetestSettings(keys: GeetestKeys, url: string) {
  return { baseUrl: url, ...keys }
}

/** `solve`: the proof of a person (or, false, of a machine). A proof serves once. */
export async function startGeetestSimulator(
  { keys }: { keys: GeetestKeys },
  port = 0,
): Promise<RunningSimulator & { solve(isPerson?: boolean): Record<string, string> }> {
  const solved = new Map<string, { passToken: string; isPerson: boolean; atMs: number }>()
  const error = (code: string, message: string): SimAnswer =>
    json({ status: 'error', code, msg: message, desc: { type: 'defined error' } })
  const outcome = (isPerson: boolean, reason: string): SimAnswer =>
    json({
      status: 'success',
      result: isPerson ? 'success' : 'fail',
      reason,
      captcha_args: { used_type: 'slide' },
    })
  const running = await startSimulator(
    {
      nameOf: ({ path }) => (path === '/validate' ? 'validate' : null),
      errorOf: error,
      handle(_, { query, body }, control) {
        const form = new URLSearchParams(body.toString())
        const lot = form.get('lot_number') ?? ''
        if (query.get('captcha_id') !== keys.captchaId) return error('-50002', 'illegal captcha_id')
        const expected = createHmac('sha256', keys.captchaKey).update(lot).digest('hex')
        if (form.get('sign_token') !== expected || control.take('token-revoked', 'validate'))
          return error('-50103', 'sign_token error')
        const known = solved.get(lot)
        solved.delete(lot)
        if (!known || known.passToken !== form.get('pass_token')) return outcome(false, 'pass_token error')
        if (control.now().getTime() - known.atMs > LIFE_MS) return outcome(false, 'pass_token expire')
        return outcome(known.isPerson, known.isPerson ? '' : 'risk')
      },
    },
    port,
  )
  return {
    ...running,
    solve(isPerson = true) {
      const lot = randomUUID().replaceAll('-', '')
      const passToken = randomBytes(32).toString('hex')
      const atMs = running.control.now().getTime()
      solved.set(lot, { passToken, isPerson, atMs })
      return {
        lot_number: lot,
        captcha_output: randomBytes(24).toString('base64'),
        pass_token: passToken,
        gen_time: String(Math.floor(atMs / 1000)),
      }
    },
  }
}
