// Owns what the operator keeps of a partner beside its terms: notes, papers, the reminder of its contract, and what its page counts.
// Must never read a clock or a database.
import { SPENDING_DAYS } from '#features/overview/insights/rules.ts'
import { setting } from '#kit/declare/settings.ts'
import { addDays } from '#kit/time.ts'
import { lengthOf } from '#kit/words/cleaned.ts'

/** A balance that lasts for fewer days than this, by the spending of the last days. */
export const LASTS_DAYS = [7, 15, 30, 60] as const
export const SPENT_DAYS = SPENDING_DAYS[0]

/** Shops whose term ends within so many days. */
export const ENDING_DAYS = 30

export const LIMITS = { note: 500, paperName: 50, papers: 50 } as const
/** Rows of the short lists on the page of a partner. */
export const SHOWN = 10
export const PAGE_ROWS = 20
/** Partners of one level of the tree that are shown at once. */
export const TREE_ROWS = 50

export const CONTRACT_DAYS = setting({
  key: 'contract-reminder-days',
  group: '合作伙伴',
  label: '合同到期提醒',
  unit: '天',
  initial: 30,
  min: 8,
  max: 180,
  hint: '合同到期前多少天提醒运营商和该合作伙伴；到期前 7 天和当天会再次提醒',
})
/** Told again so many days before the end. */
const AGAIN_DAYS = [7, 0] as const

/** The mark that the end of a contract has come to, by the days that are left; null: none yet, or it has ended. */
export function reminderStage(daysLeft: number, reminderDays: number): number | null {
  if (daysLeft < 0) return null
  const reached = [reminderDays, ...AGAIN_DAYS].filter(days => daysLeft <= days)
  return reached.length === 0 ? null : Math.min(...reached)
}

/** The days within which a contract is about to end, both included. */
export function endingContracts(today: string, reminderDays: number): { from: string; to: string } {
  return { from: today, to: addDays(today, reminderDays) }
}

export const PAPER_KINDS = { contract: '合同', licence: '营业执照', other: '其他' } as const
export type PaperKind = keyof typeof PAPER_KINDS
export const PAPER_KIND_KEYS = Object.keys(PAPER_KINDS) as PaperKind[]

/** The purpose of an upload that becomes a paper. */
export const PAPER_FILE = 'partnerPaper'
export const PAPER_KB = setting({
  key: 'paper-kb',
  group: '上传',
  label: '合作伙伴资料',
  unit: 'KB',
  initial: 5_120,
  min: 500,
  max: 10_240,
})

export const DESK_REFUSALS = {
  PAPER_NAME_REQUIRED: '请输入资料名称',
  PAPER_NAME_TOO_LONG: `资料名称不得超过${LIMITS.paperName}字`,
  PAPER_FILE_REQUIRED: '请选择文件',
  PAPER_FILE_UNKNOWN: '文件已失效，请重新选择',
  PAPERS_TOO_MANY: `每个合作伙伴最多${LIMITS.papers}份资料，请先移除不用的`,
} as const
export type DeskRefusal = keyof typeof DESK_REFUSALS

export type PaperForm = { name: string; fileId: string | null }

/** The first broken rule of a paper with its field, or null. */
export function refusePaper({
  name,
  fileId,
}: PaperForm): { field: 'name' | 'fileId'; code: DeskRefusal } | null {
  if (fileId === null) return { field: 'fileId', code: 'PAPER_FILE_REQUIRED' }
  if (lengthOf(name) === 0) return { field: 'name', code: 'PAPER_NAME_REQUIRED' }
  return lengthOf(name) > LIMITS.paperName ? { field: 'name', code: 'PAPER_NAME_TOO_LONG' } : null
}

/** The page of a partner. */
export const PARTNER_PAGE = '/admin/operations/agents'
export const partnerPath = (id: number) => `${PARTNER_PAGE}/${id}` as const
