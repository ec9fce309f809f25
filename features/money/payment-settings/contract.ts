import { errorsOf, op } from '#kit/declare/op.ts'
import { whole } from '#kit/declare/page.ts'
import { madeText, secretText } from '#kit/declare/texts.ts'
import * as z from '#kit/declare/z.ts'
import { PAY_CHANNELS } from '#kit/ports/channels.ts'
import { CHECK_RESULT_KEYS, REFUSALS } from './rules.ts'

const channel = z.enum(PAY_CHANNELS)
const VALUE_MAX = 10_000
const given = z.record(z.string().max(40), secretText.max(VALUE_MAX))

/** Of a channel that can be paid to an agent. What is secret is never told, only that and by whom it was set. */
const ChannelSettings = z.object({
  channel,
  enabled: z.boolean(),
  /** Null: nothing is saved. */
  version: z.number().nullable(),
  /** Of the last check, whichever settings it was of. */
  checkedVersion: z.number().nullable(),
  checkedAt: z.string().nullable(),
  checkResult: z.enum(CHECK_RESULT_KEYS).nullable(),
  checkWords: z.string(),
  /** Seconds since it was switched off; null: it never was on. */
  offSeconds: z.number().nullable(),
  values: z.array(
    z.object({
      name: z.string(),
      /** Null: it is secret. */
      value: z.string().nullable(),
      setAt: z.string(),
      setByName: z.string(),
    }),
  ),
})

const manage = 'paymentSettings.manage'
const stale = ['paymentSettings'] as const
const errors = errorsOf(REFUSALS)

export const paymentSettings = {
  settings: op(
    { permission: manage },
    { method: 'GET', path: '/payments/own', summary: 'The accounts that the agent itself is paid on' },
  ).output(
    z.object({
      /** The operator allows it. */
      payEnabled: z.boolean(),
      channels: z.array(ChannelSettings),
      signKey: z.object({ setAt: z.string(), setByName: z.string() }).nullable(),
    }),
  ),
  /** A secret left empty stays as it was; `remove` names secrets that go. A channel that was on is off after a change. */
  save: op(
    { permission: manage, log: '保存支付设置', stepUp: true, stale },
    { method: 'PUT', path: '/payments/own/{channel}', summary: 'Save the account of a channel' },
  )
    .errors(errors)
    .input(z.object({ channel, values: given, remove: z.array(madeText.max(40)).max(20).default([]) }))
    .output(z.object({ version: z.number(), enabled: z.boolean() })),
  /** Asks the service itself, with these keys. */
  check: op(
    { permission: manage, log: '检测支付设置', stepUp: true, detached: true, stale },
    { method: 'POST', path: '/payments/own/{channel}/check', summary: 'Whether the service knows the keys' },
  )
    .errors(errors)
    .input(z.object({ channel }))
    .output(z.object({ result: z.enum(CHECK_RESULT_KEYS), words: z.string() })),
  switch: op(
    { permission: manage, log: '启停在线收款', stepUp: true, stale },
    {
      method: 'POST',
      path: '/payments/own/{channel}/switch',
      summary: 'Take payments by a channel, or none',
    },
  )
    .errors(errors)
    .input(z.object({ channel, enabled: z.boolean() }))
    .output(z.object({ enabled: z.boolean() })),
  /** Everything that was given, for good. */
  remove: op(
    { permission: manage, log: '删除支付设置', stepUp: true, stale },
    { method: 'DELETE', path: '/payments/own/{channel}', summary: 'Remove the account of a channel' },
  )
    .errors(errors)
    .input(z.object({ channel }))
    .output(z.object({ removed: z.literal(true) })),
  setSignKey: op(
    { permission: manage, log: '设置签名密钥', stepUp: true, stale },
    { method: 'PUT', path: '/payments/own-sign-key', summary: 'Set the sign key' },
  )
    .errors(errors)
    .input(z.object({ signKey: secretText.max(VALUE_MAX) }))
    .output(z.object({ kept: z.literal(true) })),
  removeSignKey: op(
    { permission: manage, log: '删除签名密钥', stepUp: true, stale },
    { method: 'DELETE', path: '/payments/own-sign-key', summary: 'Remove the sign key' },
  ).output(z.object({ removed: z.literal(true) })),
  /** The documents' sv_distributor_pay_enable. */
  allow: op(
    {
      permission: 'paymentSettings.allow',
      log: '代理商在线收款',
      stepUp: true,
      stale: ['partnerDesk', 'paymentSettings'],
    },
    {
      method: 'POST',
      path: '/agents/{id}/own-payments',
      summary: 'Allow an agent to be paid on its own account',
    },
  )
    .input(z.object({ id: whole(1), enabled: z.boolean() }))
    .output(z.object({ enabled: z.boolean() })),
}
