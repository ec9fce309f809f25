// The question before a price is saved with what has it, from now on and for everybody.
import { formatCents } from '#kit/money.ts'
import type { Question } from '#web/controls/confirm.ts'
import { PRICE_RISKS, type PriceRisk, savedRisks, shareRisks } from './rules.ts'

/** A price that is saved; null before: it is the first one. */
export type SavedPrice = { name: string; unit: string; beforeCents: number | null; afterCents: number }

/** Null where nothing is changed that has to be asked about: a first price is asked about where it is nothing. */
export function savedPriceQuestion(
  saved: readonly SavedPrice[],
  { whom = '全部代理商', confirmText = '立即生效' } = {},
): Question | null {
  const asked = saved.filter(one => savedRisks([one]).length > 0)
  if (asked.length === 0) return null
  const risks = savedRisks(asked)
  return {
    title: '确认价格？',
    text: `${risks.map(risk => PRICE_RISKS[risk]).join('；')}。${asked.map(changeText).join('；')}，适用于${whom}。`,
    confirmText,
    danger: risks.some((risk: PriceRisk) => risk !== 'now'),
  }
}

function changeText({ name, unit, beforeCents, afterCents }: SavedPrice): string {
  const after = `${formatCents(afterCents)} ${unit}`
  return beforeCents === null ? `${name}为 ${after}` : `${name}由 ${formatCents(beforeCents)} 变为 ${after}`
}

/** What is asked before a share of what is paid otherwise is given, as a discount or a campaign. */
export function savedShareQuestion(basisPoints: number | null): Question | null {
  if (basisPoints === null || shareRisks(basisPoints).length === 0) return null
  return {
    title: '确认折扣？',
    text: `${PRICE_RISKS.fall}。例如 100.00 代币的项目变为 ${formatCents(basisPoints)} 代币。`,
    confirmText: '确认设置',
    danger: true,
  }
}
