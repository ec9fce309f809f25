import type { Out } from '#kit/declare/op.ts'
import { api } from '#web/client/api.ts'
import type { paymentSettings } from './contract.ts'

export const settingsApi = api<typeof paymentSettings>('paymentSettings')

export type Standing = Out<typeof paymentSettings.settings>
export type ChannelStanding = Standing['channels'][number]
