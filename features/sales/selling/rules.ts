// Owns what a shop gets that registers itself: from where, for how long, and how many of an agency on a day.
// Must never read a clock or a database.
import { SOURCES } from '#features/shops/merchants/rules.ts'
import { setting } from '#kit/declare/settings.ts'

/** Where shops register themselves. */
export const SELF_REGISTERED = { mobileWebsite: SOURCES.mobileWebsite, app: SOURCES.app } as const
export type SelfRegistered = keyof typeof SELF_REGISTERED

export const TRIAL_DAYS = setting({
  key: 'trial-days',
  group: '店铺注册',
  label: '试用期',
  unit: '天',
  initial: 7,
  min: 0,
  max: 90,
  hint: '店铺在官网或APP自己注册后可以免费使用的天数，到期后须订购',
})
/** A key that is lost, or a site that is attacked, makes no more. */
export const TRIALS_PER_DAY = setting({
  key: 'trials-per-day',
  group: '店铺注册',
  label: '每个代理商每天',
  unit: '家',
  initial: 200,
  min: 0,
  max: 10_000,
})

export const TRIAL_REFUSALS = {
  TRIALS_FULL: '今日注册的店铺已达上限，请明天再试或联系服务商',
} as const
