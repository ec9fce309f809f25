// Owns where an agency is told of changes: addresses, when a delivery is tried again, how an endpoint ends (issue "the shop's side").
// Must never read a clock or a database, and never see a secret.
import type { ChangeTopic } from '#features/shops/pos-changes/rules.ts'
import type { Machine } from '#kit/declare/machine.ts'

export const LIMITS = {
  /** Of an agency. */
  endpoints: 10,
  url: 500,
  /** Deliveries that one replay may queue. */
  replay: 10_000,
} as const

/** What is sent on request, to see that an endpoint works. */
export const TEST_TOPIC = 'webhook.test'
export const TEST_DATA = { text: '测试' } as const
export type DeliveryTopic = ChangeTopic | typeof TEST_TOPIC

export const ENDPOINT_STATES = {
  active: '正常',
  failing: '投递失败',
  off: '已停用',
  gone: '对方已停止接收',
  dead: '长期失败已停用',
} as const
export type EndpointState = keyof typeof ENDPOINT_STATES
/** By hand, by the receiver's own word (410), or after a day without a success. */
export type OffReason = 'hand' | 'gone' | 'failing'

export const DELIVERY_STATES = { pending: '等待投递', delivered: '已送达', failed: '已放弃' } as const
export type DeliveryState = keyof typeof DELIVERY_STATES
export const WEBHOOK_DELIVERY_STEPS = {
  deliver: { from: ['pending'], to: 'delivered', by: ['program'] },
  giveUp: { from: ['pending'], to: 'failed', by: ['program', 'webhooks.edit'] },
  again: { from: ['delivered', 'failed'], to: 'pending', by: ['webhooks.edit'] },
} as const satisfies Machine<DeliveryState>

export const WEBHOOK_REFUSALS = {
  URL_REQUIRED: '请输入接收地址',
  URL_TOO_LONG: `接收地址不得超过${LIMITS.url}字`,
  URL_FORMAT: '接收地址须以 https:// 开头，且不含账号、密码和 # 号',
  URL_CLOSED: '接收地址须在公网上，不能是本机、内网或保留地址',
  TOPICS_REQUIRED: '请选择至少一种事件',
  OVERLAP_UNKNOWN: '请选择旧密钥的保留时间',
  ENDPOINTS_FULL: `每个公司最多 ${LIMITS.endpoints} 个接收地址，请先删除不用的地址`,
  URL_TAKEN: '已有相同的接收地址',
  ENDPOINT_OFF: '接收地址已停用，请先启用',
  SECRET_MISSING: '接收地址还没有密钥，请先轮换密钥',
  NO_PREVIOUS: '没有仍然有效的旧密钥',
  DELIVERY_WAITS: '该记录正在等待投递',
  SINCE_FUTURE: '请选择过去的时间',
  REPLAY_TOO_MANY: `一次最多重放 ${LIMITS.replay.toLocaleString('en-US')} 条，请选择更晚的时间`,
  WEBHOOK_OWN_SHOPS: '只看本人负责店铺的账号不能管理回调通知',
} as const
export type WebhookRefusal = keyof typeof WEBHOOK_REFUSALS

const CLOSED_NAMES = /^(localhost|.*\.(localhost|local|internal|lan|home|arpa|test|invalid|onion))\.?$/i

/**
 * Why nothing can be sent there, as far as the text says it; where a name leads is looked at again before each request. `toLoopback`:
 * the operator lets this machine be, there without TLS too. `isClosed`: whether an address that is written out is none of the public internet.
 */
export function refuseUrl(
  text: string,
  { toLoopback, isClosed }: { toLoopback: boolean; isClosed: (host: string) => boolean },
): WebhookRefusal | null {
  if (text === '') return 'URL_REQUIRED'
  if (text.length > LIMITS.url) return 'URL_TOO_LONG'
  if (!/^https?:\/\//i.test(text) || !URL.canParse(text)) return 'URL_FORMAT'
  const { protocol, username, password, hash, hostname } = new URL(text)
  const host = hostname.replace(/^\[(.*)\]$/, '$1')
  const isHere = toLoopback && (host === 'localhost' || host === '::1' || /^127(\.\d+){3}$/.test(host))
  if (username !== '' || password !== '' || hash !== '') return 'URL_FORMAT'
  if (isHere) return null
  if (protocol !== 'https:') return 'URL_FORMAT'
  const isWritten = host.includes(':') || /^\d+(\.\d+){3}$/.test(host)
  if (isWritten ? isClosed(host) : CLOSED_NAMES.test(host) || !host.includes('.')) return 'URL_CLOSED'
  return null
}

const RETRY_S = [5, 30, 120, 600, 1_800, 3_600] as const
const LATER_S = 7_200
const GIVEN_UP_AFTER_S = 3 * 86_400

/** Seconds until the next try after so many; null: given up, `ageS` after it was first to be sent. */
export function retryAfterS(attempts: number, ageS: number): number | null {
  const wait = RETRY_S[attempts - 1] ?? LATER_S
  return ageS + wait > GIVEN_UP_AFTER_S ? null : wait
}

/** Of an endpoint without a success; it is switched off then. */
export const FAILING_HOURS = 24

/** What came of one try. No code: no answer. */
export type Tried = { httpCode: number | null; answer: string; problem: string; tookMs: number }

export function isDelivered({ httpCode }: Pick<Tried, 'httpCode'>): boolean {
  return httpCode !== null && httpCode >= 200 && httpCode < 300
}

/** The receiver asks for no more. */
export const isGone = ({ httpCode }: Pick<Tried, 'httpCode'>) => httpCode === 410
