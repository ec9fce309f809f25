// Owns where a shop stands that is brought in to an acquirer (进件): what is wanting, who takes which step, what a merchant number is, and
// what the point of sale gets of it (D3 §3, §7; issue: getting a shop paid). Must never read a clock or a database.
import { reasonRules } from '#features/acquiring/refusals/rules.ts'
import { FIND_REFUSALS, REFUSALS as MERCHANT_REFUSALS } from '#features/shops/merchants/rules.ts'
import { type Machine, nextState } from '#kit/declare/machine.ts'
import { setting } from '#kit/declare/settings.ts'
import {
  ACQUIRER_NAMES,
  ACQUIRER_PAPERS,
  ACQUIRER_SOURCES,
  type AcquirerName,
  type AcquirerPaper,
  type AcquirerSource,
  acquirerOf,
  picturesFor,
} from '#kit/ports/acquirers.ts'

/** What our own staff make of it. */
export const APPROVAL_STATES = {
  draft: '草稿',
  pending: '待审核',
  approved: '已通过',
  rejected: '已驳回',
} as const
export type ApprovalState = keyof typeof APPROVAL_STATES
export const APPROVAL_STATE_KEYS = Object.keys(APPROVAL_STATES) as [ApprovalState, ...ApprovalState[]]

export const ACQUIRER_APPROVAL_STEPS = {
  submit: { from: ['draft', 'rejected'], to: 'pending', by: ['acquirerOnboardings.edit'] },
  approve: { from: ['pending'], to: 'approved', by: ['acquirerOnboardings.decide'] },
  reject: { from: ['pending'], to: 'rejected', by: ['acquirerOnboardings.decide'] },
  /** The acquirer refused it: it is mended and approved anew before it goes there again. */
  sendBack: { from: ['approved'], to: 'rejected', by: ['acquirerOnboardings.decide', 'provider'] },
} as const satisfies Machine<ApprovalState>
export type ApprovalStep = keyof typeof ACQUIRER_APPROVAL_STEPS

/** Where it stands at the acquirer. */
export const CHANNEL_STATES = {
  waiting: '未送件',
  sent: '渠道审核中',
  opened: '已开通',
  refused: '渠道驳回',
} as const
export type ChannelState = keyof typeof CHANNEL_STATES
export const CHANNEL_STATE_KEYS = Object.keys(CHANNEL_STATES) as [ChannelState, ...ChannelState[]]

export const ACQUIRER_STEPS = {
  send: { from: ['waiting', 'refused'], to: 'sent', by: ['acquirerOnboardings.decide', 'provider'] },
  refuse: { from: ['sent'], to: 'refused', by: ['acquirerOnboardings.decide', 'provider'] },
  /** Its protocol did not take it in the first place. */
  turnDown: { from: ['waiting', 'refused'], to: 'refused', by: ['provider'] },
  /** By its number, also by another one than it had. */
  open: { from: ['waiting', 'sent', 'opened'], to: 'opened', by: ['acquirerOnboardings.decide', 'provider'] },
} as const satisfies Machine<ChannelState>
export type ChannelStep = keyof typeof ACQUIRER_STEPS

/** How far it is with the acquirer's protocol. `stuck`: nothing came of several rounds; it goes on, and people may take it there. */
export const HANDING_IN_STATES = ['none', 'running', 'stuck', 'asked'] as const
export type HandingIn = (typeof HANDING_IN_STATES)[number]

export const HANDING_IN = {
  /** As long as seven pictures may take. */
  claimSeconds: 180,
  atOnce: 3,
  /** How often an answer is waited for before staff are told. */
  silentRounds: 5,
} as const

export function handingInOf({
  requestNo,
  state,
  tries,
}: {
  requestNo: string
  state: ChannelState
  tries: number
}): HandingIn {
  if (requestNo === '') return 'none'
  if (state === 'sent') return 'asked'
  return tries >= HANDING_IN.silentRounds ? 'stuck' : 'running'
}

/** Staff may have it asked at once, so many seconds after its last answer. */
export const ASK_SECONDS = 30

/** Why the acquirer cannot be asked at once where an application stands; null: it can. */
export function refuseAsking(
  {
    isActive,
    handingIn,
    isBeingAsked,
    askedAt,
  }: {
    isActive: boolean
    handingIn: HandingIn
    /** A round is under way, or somebody has pressed. */
    isBeingAsked: boolean
    askedAt: string | null
  },
  now: Date,
): 'INACTIVE' | 'NOT_HANDED_IN' | 'ASKING_ALREADY' | 'ASKED_JUST_NOW' | null {
  if (!isActive) return 'INACTIVE'
  if (handingIn !== 'asked') return 'NOT_HANDED_IN'
  if (isBeingAsked) return 'ASKING_ALREADY'
  const age = askedAt === null ? null : now.getTime() - Date.parse(askedAt)
  return age !== null && age < ASK_SECONDS * 1_000 ? 'ASKED_JUST_NOW' : null
}

/** After so many seconds the acquirer is asked again: often at first, then hourly; `tries` counts rounds without an answer. */
export function secondsToNext(
  { state, tries, sentAt }: { state: ChannelState; tries: number; sentAt: string | null },
  now: Date,
): number {
  if (state !== 'sent') return Math.min(5 * 2 ** Math.min(tries, 10), 1_800)
  const age = sentAt === null ? 0 : (now.getTime() - Date.parse(sentAt)) / 1_000
  if (age < 600) return 60
  return age < 3_600 ? 300 : 3_600
}

/** How the merchant stands at the acquirer once it is there. */
export const MERCHANT_STANDINGS = { normal: '正常', frozen: '冻结', closed: '已注销' } as const
export type MerchantStanding = keyof typeof MERCHANT_STANDINGS
export const MERCHANT_STANDING_KEYS = Object.keys(MERCHANT_STANDINGS) as [
  MerchantStanding,
  ...MerchantStanding[],
]

/** A payment of one fen through what was handed over, which goes back at once. */
export const TEST_STATES = {
  ordering: '正在下单',
  waiting: '等待付款',
  paid: '已付款，正在退回',
  refunded: '测试通过',
  failed: '测试失败',
  settled: '已人工处理',
} as const
export type TestState = keyof typeof TEST_STATES
export const TEST_STATE_KEYS = Object.keys(TEST_STATES) as [TestState, ...TestState[]]
export const TEST_OPEN_STATES = ['ordering', 'waiting', 'paid'] as const satisfies readonly TestState[]

export const TEST_PAYMENT_STEPS = {
  show: { from: ['ordering'], to: 'waiting', by: ['provider'] },
  pay: { from: ['waiting'], to: 'paid', by: ['provider'] },
  refund: { from: ['paid'], to: 'refunded', by: ['provider'] },
  fail: { from: ['ordering', 'waiting'], to: 'failed', by: ['provider'] },
  /** The acquirer does not bring it back, or does not say whether it was paid: two of staff have seen to it by hand. */
  settle: { from: ['waiting', 'paid'], to: 'settled', by: ['acquirerOnboardings.decide'] },
} as const satisfies Machine<TestState>

export const TESTING = {
  amountFen: 1,
  /** Within which it must be paid. */
  minutes: 5,
  /** How often an answer is waited for before staff are told. */
  silentRounds: 5,
  claimSeconds: 60,
  atOnce: 5,
  shown: 5,
} as const

/** After so many seconds it is asked about again. */
export function secondsToAsk({ state, tries }: { state: TestState; tries: number }): number | null {
  if (!(TEST_OPEN_STATES as readonly TestState[]).includes(state)) return null
  return Math.min(2 * 2 ** Math.max(0, tries), 1_800)
}

type Settling = { state: TestState; isStuck: boolean; isAsked: boolean; settledBy: number | null }

/** Why nobody may say that it was seen to by hand; null: somebody may. */
export function refuseSettling({ state, isStuck, settledBy }: Settling): Refusal | null {
  if (!(TEST_PAYMENT_STEPS.settle.from as readonly TestState[]).includes(state) || !isStuck)
    return 'TEST_NOT_STUCK'
  return settledBy === null ? null : 'TEST_SETTLING'
}

/** Why this account may not look at what another said; null: it may. */
export function refuseSettlingCheck(test: Settling, accountId: number): Refusal | null {
  if (test.settledBy === null || !test.isStuck) return 'TEST_NOT_SETTLING'
  if (test.settledBy === accountId) return 'TEST_SETTLED_BY_YOU'
  // What is asked for at this moment may bring it back once more.
  return test.isAsked ? 'TEST_ASKED_NOW' : null
}

export const LIMITS = {
  settleReason: 200,
  shortName: 40,
  contactName: 30,
  contactPhone: 20,
  email: 100,
  accountName: 60,
  category: 40,
  rate: 5,
  accountNumber: 30,
  accountNumberLeast: 8,
  code: 32,
  remark: 200,
  reason: 100,
  secret: 128,
} as const

export const ACQUIRER_HOURS = setting({
  key: 'acquirer-onboarding-hours',
  group: '审批',
  label: '收单进件承诺处理时间',
  unit: '小时',
  initial: 24,
  min: 1,
  max: 240,
  hint: '提交后多久内给出结果',
})

export const REFUSALS = {
  ACCOUNT_REQUIRED: '请输入软件注册的账号',
  ...FIND_REFUSALS,
  ALREADY_BEGUN: '该店铺在该渠道已有进件，请在列表中打开',
  MERCHANT_DISABLED: MERCHANT_REFUSALS.MERCHANT_DISABLED,
  INACTIVE: '该进件已停用，启用后才能继续',
  PENDING_ALREADY: '进件待审核，不能修改',
  APPROVED_ALREADY: '进件已通过审核，不能修改',
  HANDLED_ALREADY: '已由其他人处理，请刷新',
  OWN_SUBMISSION: '不能审核自己提交的进件，请由另一位工作人员审核',
  LACKING: '资料还没有补全',
  NOT_APPROVED: '进件通过审核后才能进行此操作',
  NOT_SENT: '进件没有在渠道审核中',
  SENT_ALREADY: '进件已送达渠道',
  HANDING_IN: '正在通过接口提交渠道，请等待结果',
  NOT_HANDED_IN: '进件没有通过接口提交到渠道，或渠道已有结果，请刷新',
  ASKING_ALREADY: '正在向渠道查询，请等待结果',
  ASKED_JUST_NOW: `刚刚查询过，请 ${ASK_SECONDS} 秒后再试`,
  NOT_CONNECTED: '该渠道没有接入接口，请下载资料包人工送件',
  REASONS_REQUIRED: '请输入至少一项驳回原因',
  REASON_TOO_LONG: `驳回原因不得超过${LIMITS.reason}字`,
  CONTACT_PHONE_WRONG: '联系电话不正确，请输入手机号或带区号的座机号',
  EMAIL_WRONG: '联系邮箱格式不正确',
  // No limit: what a rate looks like.
  RATE_WRONG: '费率应为 0.01 至 9.99 之间的数字，如 0.38',
  ACCOUNT_NUMBER_WRONG: `银行账号应为 ${LIMITS.accountNumberLeast} 至 ${LIMITS.accountNumber} 位数字`,
  CODE_WRONG: '商户编号格式不正确',
  CODE_TAKEN: '该商户编号已属于另一家店铺，请核对',
  NO_CODE: '渠道还没有给出商户编号',
  MERCHANT_NOT_NORMAL: '商户在渠道的状态不是正常，不能交接收款配置',
  METHOD_NOT_OFFERED: '该代理商没有开通该渠道对应的支付方式，请先在代理商资料中开通',
  METHOD_UNFIT: '支付方式缺少该渠道需要的字段，请在基础数据中补充',
  PAID_OTHERWISE: '店铺正在使用其他支付方式',
  SECRET_REQUIRED: '请输入密钥',
  TEST_NOT_HANDED_OVER: '收款配置交接后才能测试支付',
  TEST_PAID_OTHERWISE: '店铺现在不由该渠道收款，请先交接收款配置',
  TEST_NOT_STUCK: '这笔测试支付没有停滞，无需人工处理，请刷新后查看',
  TEST_SETTLING: '已经登记人工处理，等待另一位同事复核',
  TEST_NOT_SETTLING: '没有待复核的人工处理，请刷新后查看',
  TEST_SETTLED_BY_YOU: '本人登记的人工处理，须由另一位同事复核',
  TEST_ASKED_NOW: '系统正在向渠道查询这笔款项，请稍后再复核',
  TEST_NOT_CONNECTED: '该渠道没有接入接口，不能从这里测试，请在收银机上收取一分钱并退款',
} as const
export type Refusal = keyof typeof REFUSALS

/** A mobile number, or one of a line with its area. */
const PHONE = /^(1[3-9]\d{9}|0\d{2,3}-?\d{7,8}|400-?\d{3}-?\d{4})$/
const EMAIL = /^[^\s@]+@[^\s@]+\.[^\s@.]{2,}$/
const RATE = /^\d\.\d{1,2}$/
const NUMBER = new RegExp(`^\\d{${LIMITS.accountNumberLeast},${LIMITS.accountNumber}}$`)

export type Completed = {
  contactPhone: string
  email: string
  rate: string
  /** Empty: as it is kept. */
  accountNumber: string
}
/** The first of what was completed that cannot be; what is empty is still wanting, and not wrong. */
export function brokenCompletion(form: Completed): { field: keyof Completed; code: Refusal } | null {
  const wrong = (text: string, is: boolean) => text !== '' && !is
  if (wrong(form.contactPhone, PHONE.test(form.contactPhone)))
    return { field: 'contactPhone', code: 'CONTACT_PHONE_WRONG' }
  if (wrong(form.email, EMAIL.test(form.email))) return { field: 'email', code: 'EMAIL_WRONG' }
  if (wrong(form.rate, RATE.test(form.rate) && Number(form.rate) > 0))
    return { field: 'rate', code: 'RATE_WRONG' }
  if (wrong(form.accountNumber, NUMBER.test(form.accountNumber)))
    return { field: 'accountNumber', code: 'ACCOUNT_NUMBER_WRONG' }
  return null
}

/** What is known of the shop, as people may see it; empty: not yet. */
export type Known = Readonly<Record<AcquirerSource, string>>
export type PayType = 'corporate' | 'private'

/** Where somebody says what is wanting. */
export const HOMES = {
  shop: '商户资料',
  identity: '实名资料',
  account: '支付申请',
  here: '进件资料',
} as const
type Home = keyof typeof HOMES
const HOME_OF: Record<AcquirerSource, Home> = {
  ...{ company: 'identity', creditCode: 'identity', legalPerson: 'identity', idNumber: 'identity' },
  ...{ shopName: 'shop', regionName: 'shop', address: 'shop' },
  ...{ payType: 'account', bankName: 'account', branchName: 'account', branchNumber: 'account' },
  ...{ bankRegionName: 'account' },
  ...{ shortName: 'here', category: 'here', contactName: 'here', contactPhone: 'here', email: 'here' },
  ...{ accountName: 'here', accountNumber: 'here', rate: 'here' },
}
/** `home` papers: among the shop's papers. */
export type Lack = { field: string; words: string; home: Home | 'papers' }

/** What keeps it from being handed in, in the order of the acquirer's form. */
export function lackingOf(
  channel: AcquirerName,
  known: Known,
  papers: readonly AcquirerPaper[],
): readonly Lack[] {
  const sources = acquirerOf(channel).lines.filter(({ required }) => required)
  const lines = [...new Set(sources.map(({ source }) => source))]
    .filter(source => known[source] === '')
    .map((source): Lack => {
      const home = HOME_OF[source]
      return { field: source, home, words: `${ACQUIRER_SOURCES[source]}（在${HOMES[home]}中填写）` }
    })
  const payType: PayType = known.payType === 'private' ? 'private' : 'corporate'
  const pictures = picturesFor(channel, payType)
    .filter(({ required, paper }) => required && !papers.includes(paper))
    .map(
      ({ paper }): Lack => ({
        ...{ field: paper, home: 'papers' },
        words: `${ACQUIRER_PAPERS[paper]}（在店铺证件中上传）`,
      }),
    )
  return [...lines, ...pictures]
}

/** What the acquirer's protocol does not take, of what is there. */
export function unfitOf(channel: AcquirerName, known: Known): readonly Lack[] {
  const wants = acquirerOf(channel).protocol?.wants ?? []
  return wants
    .filter(({ source, fits }) => known[source] !== '' && !fits(known))
    .map(({ source, words }) => {
      const home = HOME_OF[source]
      return { field: source, home, words: `${words}（在${HOMES[home]}中修改）` }
    })
}

/** What staff, or the acquirer, may say is wrong. */
export const REASON_FIELDS = { ...ACQUIRER_SOURCES, ...ACQUIRER_PAPERS, other: '其他' } as const
export type ReasonField = keyof typeof REASON_FIELDS
export const REASON_FIELD_KEYS = Object.keys(REASON_FIELDS) as [ReasonField, ...ReasonField[]]
export type Reasons = Readonly<Partial<Record<ReasonField, string>>>

/** Those that this acquirer's form asks for. */
export function reasonFieldsFor(channel: AcquirerName, payType: PayType): ReasonField[] {
  const asked: string[] = [
    ...acquirerOf(channel).lines.map(({ source }) => source),
    ...picturesFor(channel, payType).map(({ paper }) => paper),
    'other',
  ]
  return REASON_FIELD_KEYS.filter(field => asked.includes(field))
}

export const { givenReasons, refuseReasons, reasonsText } = reasonRules(REASON_FIELDS, LIMITS.reason)

export type Standing = { isActive: boolean; approvalState: ApprovalState; state: ChannelState }

const approves = (state: ApprovalState, step: ApprovalStep) =>
  nextState<ApprovalState, ApprovalStep>(ACQUIRER_APPROVAL_STEPS, state, step) !== null
const moves = (state: ChannelState, step: ChannelStep) =>
  nextState<ChannelState, ChannelStep>(ACQUIRER_STEPS, state, step) !== null

/** Why its data cannot be changed now; null: they can. */
export function refuseEdit({ isActive, approvalState }: Standing): Refusal | null {
  if (!isActive) return 'INACTIVE'
  if (approves(approvalState, 'submit')) return null
  return approvalState === 'pending' ? 'PENDING_ALREADY' : 'APPROVED_ALREADY'
}

export function refuseSubmission(standing: Standing, lacking: number): Refusal | null {
  return refuseEdit(standing) ?? (lacking > 0 ? 'LACKING' : null)
}

export function refuseDecision(
  { isActive, approvalState }: Standing,
  step: 'approve' | 'reject',
): Refusal | null {
  if (!isActive) return 'INACTIVE'
  return approves(approvalState, step) ? null : 'HANDLED_ALREADY'
}

/** Of a step at the acquirer, which only what was approved takes. */
export function refuseStep({ isActive, approvalState, state }: Standing, step: ChannelStep): Refusal | null {
  if (!isActive) return 'INACTIVE'
  if (approvalState !== 'approved') return 'NOT_APPROVED'
  if (moves(state, step)) return null
  return step === 'send' ? 'SENT_ALREADY' : 'NOT_SENT'
}

/** Of a step that people take at the acquirer themselves. */
export function refuseByHand(
  standing: Standing & { handingIn: HandingIn },
  step: 'send' | 'refuse' | 'open',
): Refusal | null {
  return refuseStep(standing, step) ?? (standing.handingIn === 'running' ? 'HANDING_IN' : null)
}

/** Why it cannot be handed in by the acquirer's protocol; null: it can, or may be tried at once again. */
export function refuseHandIn(
  standing: Standing & { handingIn: HandingIn },
  { isConnected, lacking }: { isConnected: boolean; lacking: number },
): Refusal | null {
  const refusal = refuseByHand(standing, 'send')
  if (refusal) return refusal
  if (!isConnected) return 'NOT_CONNECTED'
  return lacking > 0 ? 'LACKING' : null
}

/** What is wrong with a merchant number of this acquirer, in words. */
export function brokenCode(channel: AcquirerName, code: string): string | null {
  const { max, pattern, patternWords } = acquirerOf(channel).code
  if (code === '') return '请输入商户编号'
  return code.length <= max && new RegExp(pattern).test(code)
    ? null
    : `${ACQUIRER_NAMES[channel]}的商户编号${patternWords}`
}

/** A field of a payment method. */
type MethodField = { key: string; label: string; secret: boolean }
export type Paid = { methodId: number | null; methodName: string; values: Readonly<Record<string, string>> }
export type Change = { label: string; before: string; after: string }

/** The method that shops begin with takes nobody's place. */
export const isPaidOtherwise = (paid: Paid, methodId: number) =>
  paid.methodId !== null && paid.methodId !== 0 && paid.methodId !== methodId

const HIDDEN = '已设置'

/** What the point of sale has now and would get, value by value; of a key only whether it is set. */
export function changesOf(
  paid: Paid,
  next: { methodName: string; fields: readonly MethodField[]; given: Readonly<Record<string, string>> },
): Change[] {
  const isSame = paid.methodName === next.methodName
  return [
    { label: '支付方式', before: paid.methodName, after: next.methodName },
    ...next.fields.map(({ key, label, secret }): Change => {
      const before = isSame ? (paid.values[key] ?? '') : ''
      const after = next.given[key] || before
      return secret
        ? { label, before: before && HIDDEN, after: next.given[key] ? '更换为本次输入' : before && HIDDEN }
        : { label, before, after }
    }),
  ]
}

/** Why it cannot be handed over; null: it can. `insteadOf` names the method whose place it is to take. */
export function refuseHandOver(
  standing: Standing & { code: string; merchantStatus: MerchantStanding | null; handedOverCode: string },
  method: { isOffered: boolean; fits: boolean; paid: Paid; methodId: number; insteadOf: number | null },
): Refusal | null {
  if (!standing.isActive) return 'INACTIVE'
  if (standing.approvalState !== 'approved') return 'NOT_APPROVED'
  if (standing.state !== 'opened' || standing.code === '') return 'NO_CODE'
  if (standing.merchantStatus !== 'normal') return 'MERCHANT_NOT_NORMAL'
  if (!method.isOffered) return 'METHOD_NOT_OFFERED'
  if (!method.fits) return 'METHOD_UNFIT'
  const { paid, methodId, insteadOf } = method
  return isPaidOtherwise(paid, methodId) && insteadOf !== paid.methodId ? 'PAID_OTHERWISE' : null
}

/** Somebody has pressed, or a round has it. */
export const isBeingAsked = ({ askedByName, claim }: { askedByName: string; claim: string }) =>
  askedByName !== '' || claim !== ''
