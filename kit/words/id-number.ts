// The citizen's number of GB 11643: division, birth date, order (odd: male), and a check digit after ISO 7064 MOD 11-2, which
// finds each single wrong digit. Says nothing of whether the number was ever given to anybody.
import { isDay } from '../time.ts'
import { isProvince } from './provinces.ts'

export const ID_NUMBER_REFUSALS = {
  ID_NUMBER_FORMAT: '身份证号码须为18位，末位可为X；旧版外国人永久居留证为3位字母加12位数字',
  ID_NUMBER_DIVISION: '身份证号码的地区不存在',
  ID_NUMBER_BIRTH: '身份证号码中的出生日期不正确',
  ID_NUMBER_CHECK: '身份证号码有误，请逐位核对',
} as const
export type IdNumberRefusal = keyof typeof ID_NUMBER_REFUSALS

const WEIGHTS = [7, 9, 10, 5, 8, 4, 2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2]
const CHECKS = '10X98765432'
const DIGITS = WEIGHTS.length

/** A foreigner's card for permanent residence: a 9, the province that gave it and the land; the rest is a citizen's number. */
const RESIDENT = /^9\d{16}[\dXx]$/
/** As such cards were numbered before December 2023: the land in letters; how its digits check each other was never published. */
const OLD_RESIDENT = /^[A-Za-z]{3}\d{12}$/

/** `today` as YYYY-MM-DD: nobody is born later. The X may be small. */
export function refuseIdNumber(text: string, today: string): IdNumberRefusal | null {
  if (OLD_RESIDENT.test(text)) return null
  if (!/^\d{17}[\dXx]$/.test(text)) return 'ID_NUMBER_FORMAT'
  if (!isProvince(RESIDENT.test(text) ? text.slice(1) : text)) return 'ID_NUMBER_DIVISION'
  const birth = birthOf(text)
  if (!isDay(birth) || birth > today) return 'ID_NUMBER_BIRTH'
  const sum = WEIGHTS.reduce((total, weight, place) => total + weight * Number(text[place]), 0)
  return CHECKS[sum % CHECKS.length] === text[DIGITS]?.toUpperCase() ? null : 'ID_NUMBER_CHECK'
}

/** What a number says of its owner, or null where it is refused or says nothing. */
export function readIdNumber(
  text: string,
  today: string,
): { birthDate: string; sex: 'female' | 'male' } | null {
  if (OLD_RESIDENT.test(text) || refuseIdNumber(text, today)) return null
  return { birthDate: birthOf(text), sex: Number(text[DIGITS - 1]) % 2 === 1 ? 'male' : 'female' }
}

function birthOf(text: string): string {
  return `${text.slice(6, 10)}-${text.slice(10, 12)}-${text.slice(12, 14)}`
}
