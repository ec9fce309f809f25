// What a shop's owner would read on the phone: codes are taken out of the outbox, since nothing is sent.
import assert from 'node:assert/strict'
import type { Client, Office } from './app.ts'

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

/** Has a code sent to a shop and answers it. */
export async function freshCode(
  office: Office,
  as: Client,
  merchantId: number,
  purpose: 'phone' | 'recovery' = 'phone',
): Promise<string> {
  await as.messages.sendCode({ merchantId, purpose })
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
