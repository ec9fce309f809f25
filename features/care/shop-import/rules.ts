// Owns what an import of shops from a file is: its columns' keys, its states, what is refused and what can be mended for all lines at
// once (D3 §3; docs/decisions/0039). Must never read a clock or a database.
import { needsApproval, type UndoRequestState } from '#features/sales/settlement/rules.ts'
import type { Term } from '#features/shops/versions/rules.ts'
import type { Machine } from '#kit/declare/machine.ts'
import { amountText, countText } from '#kit/money.ts'
import { lengthOf } from '#kit/words/cleaned.ts'
import { sheetRefusals } from '#kit/words/sheet.ts'

/** What of a shop a file may bring, each by the key of its column. */
export const CELL_KEYS = [
  'shortName',
  'shopName',
  'personName',
  'account',
  'password',
  'version',
  'term',
  'shops',
  'branches',
  'industry',
  'province',
  'city',
  'district',
  'address',
  'shopPhone',
  'referrer',
  'manager',
  'remark',
  'sms',
  'registeredAt',
  'expiresAt',
] as const
export type CellKey = (typeof CELL_KEYS)[number]
export type Cells = Partial<Record<CellKey, string>>

export function isCellKey(text: string): text is CellKey {
  return (CELL_KEYS as readonly string[]).includes(text)
}

/** A column of the file: what it is called, what stands in it, and which of ours it is. */
export type Head = {
  name: string
  samples: string[]
  column: CellKey | null
  /** Read out of what stands in it, by nobody's word: somebody has to say that it is so. */
  guessed?: boolean
}

/** charge: each shop is bought as by the form. takeover: terms that run already are taken over by the operator without charge. */
export const IMPORT_MODES = { charge: '新开店铺（按价扣代币）', takeover: '接管原有期限（不收费）' } as const
export type ImportMode = keyof typeof IMPORT_MODES

export const IMPORT_STATES = {
  draft: '待核对',
  running: '导入中',
  stopped: '已停止',
  done: '已完成',
  rolling: '撤回中',
  rolledBack: '已撤回',
  dropped: '已作废',
} as const
export type ImportState = keyof typeof IMPORT_STATES
const import_ = 'shopImport.import'
export const IMPORT_STEPS = {
  start: { from: ['draft'], to: 'running', by: [import_] },
  stop: { from: ['running'], to: 'stopped', by: [import_] },
  /** Something stands in the way, such as a balance that is used up. */
  stick: { from: ['running', 'rolling'], to: 'stopped', by: ['program'] },
  resume: { from: ['stopped'], to: 'running', by: [import_] },
  finish: { from: ['running'], to: 'done', by: ['program'] },
  rollBack: { from: ['done', 'stopped'], to: 'rolling', by: [import_, 'settlement.approve'] },
  end: { from: ['rolling'], to: 'rolledBack', by: ['program'] },
  drop: { from: ['draft'], to: 'dropped', by: [import_] },
} as const satisfies Machine<ImportState>
export type ImportStep = keyof typeof IMPORT_STEPS

export const ROW_STATES = {
  pending: '待导入',
  created: '已导入',
  failed: '未导入',
  skipped: '已跳过',
  rolledBack: '已撤回',
  kept: '未能撤回',
} as const
export type RowState = keyof typeof ROW_STATES
export const LINE_STEPS = {
  create: { from: ['pending'], to: 'created', by: ['program'] },
  fail: { from: ['pending'], to: 'failed', by: ['program'] },
  skip: { from: ['pending'], to: 'skipped', by: ['program'] },
  takeBack: { from: ['created'], to: 'rolledBack', by: ['program'] },
  keep: { from: ['created'], to: 'kept', by: ['program'] },
} as const satisfies Machine<RowState>

/** Why a shop stays although its import is taken back: what somebody has done with it, by the name that `shop_uses` gives it. */
export const USES = {
  branches: '店铺已有分店或已成为分店',
  change: '店铺提交过资料变更申请',
  clearing: '店铺已清过桌台',
  demand: '店铺提过需求',
  document: '店铺已上传证件',
  hardware: '店铺已购买硬件',
  login: '店铺已登录使用',
  message: '店铺已有短信发送记录',
  order: '店铺之后又有订单',
  page: '店铺已开通自助页面',
  payment: '店铺已设置收款',
  price: '店铺已有单独的售价',
  renewal: '店铺已有续费跟进',
  service: '店铺已有增值服务',
  signature: '店铺已有短信签名',
  sms: '店铺的短信余额已有变动',
  template: '店铺已有专用打印模板',
  thread: '店铺已有会话',
  tool: '店铺已办理售后操作',
  paymentApplication: '店铺已申请支付',
  programApplication: '店铺已申请小程序',
  deposit: '店铺有押金',
  verification: '店铺已申请实名认证',
  workOrder: '店铺已有工单',
} as const
export type Use = keyof typeof USES

/** What of a shop that went is kept with its line: its row and its order's, as the database had them. */
export type Remains = { shop: Record<string, unknown>; order: Record<string, unknown> | null }

/** A request to take an import back; the program rejects what nobody decided in time, or what is settled meanwhile. */
export const BACK_REQUEST_STEPS = {
  approve: { from: ['pending'], to: 'approved', by: ['settlement.approve'] },
  reject: { from: ['pending'], to: 'rejected', by: ['settlement.approve', 'program'] },
} as const satisfies Machine<UndoRequestState>

/** What lines are looked at. */
export const SHOWN_ROWS = {
  all: '全部',
  faulty: '有误',
  duplicate: '重复',
  fine: '可导入',
  created: '已导入',
  failed: '未导入',
  rolledBack: '已撤回',
  kept: '未能撤回',
} as const
export type ShownRows = keyof typeof SHOWN_ROWS

/** first: the line that other lines with its account come after. file: one of these. taken: a shop has the account. */
export const DUPLICATES = ['first', 'file', 'taken'] as const
export type Duplicate = (typeof DUPLICATES)[number]
/** Which of several lines with one account is taken: none before it is said, the first, or none of them. */
export const FILE_DUPLICATES = { ask: '待处理', first: '保留第一行', none: '全部跳过' } as const
export const TAKEN_DUPLICATES = { ask: '待处理', skip: '跳过' } as const
export type Duplicates = { file: keyof typeof FILE_DUPLICATES; taken: keyof typeof TAKEN_DUPLICATES }
export const UNDECIDED: Duplicates = { file: 'ask', taken: 'ask' }

/** What stands for cells that are empty. */
export type Defaults = Partial<
  Record<'version' | 'term' | 'industry' | 'province' | 'city' | 'district', string>
>
export const DEFAULT_KEYS = ['version', 'term', 'industry', 'province', 'city', 'district'] as const

/** What can be mended for every line at once, in the order in which it is tried. */
export const FIXES = {
  region: '补全省、市、区',
  regionOfAddress: '从详细地址识别省市区',
  symbols: '去掉特殊字符',
  long: '截去超长部分',
} as const
export type FixKey = keyof typeof FIXES
export const FIX_KEYS = Object.keys(FIXES) as [FixKey, ...FixKey[]]

/** What is wrong with a cell, and how it could be mended. */
export type Fault = { column: CellKey; message: string; fix?: FixKey }

/** A line as a new shop: what the form to add one holds, beside the password. */
export type ImportForm = {
  shortName: string
  shopName: string
  personName: string
  account: string
  versionId: number
  term: Term
  periods: number
  shops: number
  branches: number
  industryId: number
  districtCode: string
  address: string
  shopPhone: string
  referrer: string
  managerId: number | null
  remark: string
  smsCount: number
  /** Of a term that is taken over; null: permanent. */
  registeredAt: string | null
  expiresAt: string | null
}

export type KeptPrice = {
  versionId: number
  term: Term
  periods: number
  shops: number
  branches: number
  unit: string
  unitCents: number
  originalCents: number
  discountBasisPoints: number
  totalCents: number
  offer: string
}

/** Kinds of purchases are told apart by these. */
export function priceKey(
  of: Pick<KeptPrice, 'versionId' | 'term' | 'periods' | 'shops' | 'branches'>,
): string {
  return [of.versionId, of.term, of.periods, of.shops, of.branches].join(' ')
}

export const LIMITS = {
  rows: 20_000,
  columns: 60,
  fileBytes: 6 * 1024 * 1024,
  /** What a workbook may be unpacked. */
  unpackedBytes: 120 * 1024 * 1024,
  /** Lines above the heads. */
  before: 10,
  cell: 500,
  fileName: 100,
  reason: 50,
  remark: 50,
  readMs: 30_000,
} as const
/** A file as text in the body of a request, with what stands beside it. */
export const BODY_MOST = Math.ceil((LIMITS.fileBytes / 3) * 4) + 4_096
/** Lines of one transaction: what a kill may undo, and how long others wait for the agent's counters. */
export const ROWS_AT_ONCE = 500
export const BACK_AT_ONCE = 200
/** How long a password that the program made can be taken along. */
export const PASSWORD_DAYS = 15

/** Why a file is no list of shops. */
export const FILE_REFUSALS = {
  ...sheetRefusals(LIMITS, '店铺', '拆成几个文件'),
  FILE_NO_HEADS: '没有找到表头，请参照模板在第一行写明各列名称',
  FILE_NO_ROWS: '表头下面没有数据',
} as const
export type FileRefusal = keyof typeof FILE_REFUSALS

export const IMPORT_REFUSALS = {
  ...FILE_REFUSALS,
  MODE_WRONG: '只有平台工作人员可以接管原有期限，代理商导入按价扣代币',
  AGENT_REQUIRED: '请选择店铺归属的代理商',
  REASON_REQUIRED: '请输入接管的原因',
  REASON_TOO_LONG: `原因不得超过${LIMITS.reason}字`,
  REMARK_TOO_LONG: `备注不得超过${LIMITS.remark}字`,
  STEP_NOT_NOW: '当前状态不能进行该操作，请刷新后查看',
  ROWS_FAULTY: '还有内容有误的行，请先修正或跳过',
  ROWS_DUPLICATE: '还有账号重复的行，请先选择如何处理',
  NOTHING_TO_IMPORT: '没有可以导入的行',
  REHEARSAL_STALE: '内容或价格已变动，请重新预演后再导入',
  COLUMNS_GUESSED: '有的列是按内容识别的，请先确认各列的含义',
  COLUMN_TWICE: '同一项不能对应两列',
  ROLL_BACK_LATE: '导入已超过可撤销的天数，不能整批撤回',
  ROLL_BACK_ASKED: '该导入的撤回申请正在等待审批，请勿重复提交',
  ROLL_BACK_ALONE: '该导入可以自行撤回，不需要申请',
  NOTHING_TO_ROLL_BACK: '没有可以撤回的店铺',
  TAKEOVER_STAFF: '接管的店铺只能由平台工作人员撤回',
} as const
export type ImportRefusal = keyof typeof IMPORT_REFUSALS

/** What of a cell is wrong beyond what the form to add a shop refuses. */
export const CELL_FAULTS = {
  version: '没有名为「{text}」的可售版本',
  term: '购买时限请写 1年、3个月 或 永久',
  shops: '订购数量须为整数',
  branches: '分店数量须为整数',
  industry: '没有名为「{text}」的行业类型',
  district: '没有找到「{text}」，请写全省、市、区',
  shopPhone: '请输入正确的店铺电话',
  manager: '没有名为「{text}」的客户经理',
  sms: '短信条数只能输入数字',
  registeredAt: '注册时间请写 2024-01-31',
  expiresAt: '到期时间请写 2027-01-31 或 永久',
  future: '注册时间不能晚于今天',
  order: '到期时间不能早于注册时间',
} as const

/** Whether this step can be taken now. */
export function refuseStep(state: ImportState, step: ImportStep): ImportRefusal | null {
  const { from }: { from: readonly ImportState[] } = IMPORT_STEPS[step]
  return from.includes(state) ? null : 'STEP_NOT_NOW'
}

/** Why a file cannot be brought so, or null: agents buy for themselves, staff take over for whom they choose. */
export function refuseUpload(
  upload: { mode: ImportMode; agentId: number | null; reason: string },
  actor: { isVendorStaff: boolean },
): ImportRefusal | null {
  if (upload.mode === 'charge') return upload.agentId === null ? null : 'MODE_WRONG'
  if (!actor.isVendorStaff) return 'MODE_WRONG'
  if (upload.agentId === null) return 'AGENT_REQUIRED'
  const { length } = [...upload.reason.trim()]
  if (length === 0) return 'REASON_REQUIRED'
  return length > LIMITS.reason ? 'REASON_TOO_LONG' : null
}

export function refuseRemark(remark: string): ImportRefusal | null {
  return lengthOf(remark) > LIMITS.remark ? 'REMARK_TOO_LONG' : null
}

export type Counts = {
  rows: number
  faulty: number
  /** With an account that another line or a shop has, and nothing said about it. */
  undecided: number
  /** That would become shops. */
  fine: number
}

/** Why it cannot begin, or null. */
export function refuseStart(
  counts: Pick<Counts, 'faulty' | 'undecided' | 'fine'>,
  heads: readonly Pick<Head, 'guessed'>[],
): ImportRefusal | null {
  if (heads.some(({ guessed }) => guessed)) return 'COLUMNS_GUESSED'
  if (counts.faulty > 0) return 'ROWS_FAULTY'
  if (counts.undecided > 0) return 'ROWS_DUPLICATE'
  return counts.fine === 0 ? 'NOTHING_TO_IMPORT' : null
}

export type RollBack = {
  state: ImportState
  mode: ImportMode
  created: number
  startedAt: string | null
  totalCents: number
}

/** Why it cannot be taken back as a whole at all, or null; `days` is what orders can be undone for. */
export function refuseRollBack(
  of: RollBack,
  by: { isVendorStaff: boolean },
  { now, days }: { now: string; days: number },
): ImportRefusal | null {
  const step = refuseStep(of.state, 'rollBack')
  if (step) return step
  if (of.created === 0) return 'NOTHING_TO_ROLL_BACK'
  if (of.startedAt === null || Date.parse(now) - Date.parse(of.startedAt) > days * 86_400_000)
    return 'ROLL_BACK_LATE'
  return of.mode === 'takeover' && !by.isVendorStaff ? 'TAKEOVER_STAFF' : null
}

/** What an import costs and how many shops it makes: what its way back is judged by. */
export type Extent = { totalCents: number; shops: number }
/** What an agency takes back by itself; `left` of the orders of this month. */
export type OwnLimits = { approvalCents: number | null; left: number }

/** Why an agency cannot take so much back alone, as it could not undo a purchase or so many of them; null: it can. */
export function backNeeds(of: Extent, { approvalCents, left }: OwnLimits): string | null {
  if (needsApproval(of.totalCents, approvalCents))
    return `金额 ${amountText(of.totalCents, '代币')}超过审批限额 ${amountText(approvalCents ?? 0, '代币')}`
  return of.shops > left
    ? `${countText(of.shops, '家')}店铺超过本月还可自行撤销的 ${countText(Math.max(0, left), '单')}`
    : null
}

/** Whether what was approved is enough for what is to be taken back. */
export function covers(approved: Extent, of: Extent): boolean {
  return of.totalCents <= approved.totalCents && of.shops <= approved.shops
}

/** Lines that are through, of all, in whole percent; 100 only once all are. */
export function percentOf(done: number, rows: number): number {
  return done >= rows ? 100 : Math.floor((done / rows) * 100)
}
