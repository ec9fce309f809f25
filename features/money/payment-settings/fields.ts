// What the forms of an agency's own accounts ask for. Words stand in rules.ts.
import type { Fields } from '#kit/declare/fields.ts'
import type { PayChannelName } from '#kit/ports/channels.ts'
import { settingsOf } from './rules.ts'

export const SIGN_KEY = {
  signKey: { kind: 'text', label: '签名密钥', control: { as: 'text', required: true, secret: true } },
} as const satisfies Fields

/** All that a channel's own declaration asks for; each is sent as it is typed. */
export function accountFields(channel: PayChannelName) {
  type Setting = { kind: 'text'; label: string; control: { as: 'own'; secret: true } }
  const fields = Object.entries(settingsOf(channel)).map(([name, { label }]): [string, Setting] => [
    name,
    { kind: 'text', label, control: { as: 'own', secret: true } },
  ])
  return Object.fromEntries(fields) as Readonly<Record<string, Setting>>
}
