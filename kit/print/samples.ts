// Made-up articles to see a label with: short, typical and the longest a shop enters.
import type { LabelData } from './label.ts'

export type SampleKey = 'short' | 'typical' | 'longest'
export const SAMPLE_WORDS = { short: '短', typical: '常见', longest: '最长' } as const satisfies Record<
  SampleKey,
  string
>

export const SAMPLES: Record<SampleKey, LabelData> = { short: {}, typical: {}, longest: {} }

/** Levels of members that samples have prices for. */
export const MEMBER_LEVELS = [
  { id: '1', name: '普通会员' },
  { id: '2', name: '银卡会员' },
  { id: '3', name: '金卡会员' },
  { id: '4', name: '钻石会员' },
] as const
