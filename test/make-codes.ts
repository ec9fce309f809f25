// What a shop's owner would read on the phone: codes are taken out of the outbox, since nothing is sent.
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { networkOf, type Scene } from '#features/office/captcha/rules.ts'
import type { Client, Office } from './app.ts'
import { connectSms } from './silent-sms.ts'

/** The code that stands in the message last queued for a shop. */
export async function codeSentTo(office: Office, merchantId: number): Promise<string> {
  const { rows } = await office.owner.query<{ text: string }>(
    'select text from outbox_messages where merchant_id = $1 order by id desc limit 1',
    [merchantId],
  )
  const code = /\b\d{6}\b/.exec(rows[0]?.text ?? '')?.[0]
  assert.ok(code, `no code in ${rows[0]?.text}`)
  return code
}

/**
 * A pass as a solved puzzle gives it, usable at once: what was let through before counts no more. The code behind it is refused where no
 * service sends it, so that the office has one from then on.
 */
export async function makePass(
  office: Office,
  scene: Scene,
  subject: string,
  ip = '127.0.0.1',
): Promise<string> {
  if (office.app.services.providers.sms === null) connectSms(office)
  const token = randomBytes(18).toString('base64url')
  const { digest } = office.app.services.secrets
  await office.owner.query(
    `update captcha_passes set used_at = used_at - interval '2 days' where used_at > now() - interval '1 day'`,
  )
  await office.owner.query(
    `insert into captcha_passes (token_hash, scene, subject_hash, ip_hash, created_at, expires_at)
     values ($1, $2, $3, $4, now(), now() + interval '1 hour')`,
    [
      digest(`captcha pass ${token}`),
      scene,
      digest(`captcha subject ${scene} ${subject}`),
      digest(`captcha network ${networkOf(ip)}`),
    ],
  )
  return token
}

type Purpose = 'phone' | 'recovery'

/** What a person sends who has solved the puzzle before a code. */
export async function codeInput(office: Office, merchantId: number, purpose: Purpose) {
  return { merchantId, purpose, captcha: await makePass(office, 'code', `${merchantId}:${purpose}`) }
}

/** Has a code sent, past the puzzle. */
export async function sendCode(office: Office, as: Client, merchantId: number, purpose: Purpose = 'phone') {
  return as.messages.sendCode(await codeInput(office, merchantId, purpose))
}

/** Has a code sent to a shop and answers it. */
export async function freshCode(
  office: Office,
  as: Client,
  merchantId: number,
  purpose: Purpose = 'phone',
): Promise<string> {
  await sendCode(office, as, merchantId, purpose)
  return codeSentTo(office, merchantId)
}

/** Moves everything known about a shop's codes into the past. */
export async function ageCodes(office: Office, merchantId: number, seconds: number): Promise<void> {
  await office.owner.query(
    `update verification_codes set created_at = created_at - make_interval(secs => $2),
       expires_at = expires_at - make_interval(secs => $2) where merchant_id = $1`,
    [merchantId, seconds],
  )
}

/** The code that stands in the message last queued for a number, or for any. */
export async function codeOfPhone(office: Office, phone: string | null): Promise<string> {
  const { rows } = await office.owner.query<{ text: string }>(
    `select text from outbox_messages where ($1::text is null or phone = $1) and kind = 'account-code' order by id desc limit 1`,
    [phone],
  )
  const code = /\b\d{6}\b/.exec(rows[0]?.text ?? '')?.[0]
  assert.ok(code, `no code in ${rows[0]?.text}`)
  return code
}
