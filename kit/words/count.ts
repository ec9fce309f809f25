// A count as people type it, and what is said of what is none.
import { cleanNumber } from './cleaned.ts'

/** 1200 and 1,200 are counts; null: no whole number from 0 on. */
export function parseCount(text: string): number | null {
  const typed = cleanNumber(text)
  return /^(\d{1,15}|\d{1,3}(,\d{3}){1,4})$/.test(typed) ? Number(typed.replaceAll(',', '')) : null
}

/** What is wrong with a text that is no count. */
export function notACount(label: string, text: string): string {
  return /^\s*[-－−]/.test(text) ? `${label}不能为负数` : `${label}须为整数`
}
