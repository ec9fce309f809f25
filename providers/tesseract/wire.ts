// Owns what is read from the words that tesseract found: lines, the values behind the labels that papers print, and how far
// they are believed. Pure. Must never believe a value more than WEAK.
import type { BankCardField, CardSide, IdCardField, LicenceField } from '#kit/ports/providers.ts'
import { formatDay } from '#kit/time.ts'
import { readIdNumber } from '#kit/words/id-number.ts'
import { refuseLicenceNumber } from '#kit/words/licence-number.ts'
import { type Found, isCardNumber, readDay, readTerm } from '../ocr.ts'

/** How sure it may be at most: names, seals and photographs are beyond it. */
export const WEAK = 0.5

/** A line without its blanks, and the mean of how sure its words are, 0 to 100. */
export type Line = { text: string; sure: number }

const WORD = 5
const LABELS: Record<string, string> = {
  统一社会信用代码: 'number',
  注册号: 'number',
  名称: 'name',
  法定代表人: 'legalPerson',
  经营者: 'legalPerson',
  负责人: 'legalPerson',
  住所: 'address',
  经营场所: 'address',
  营业场所: 'address',
  成立日期: 'establishedOn',
  注册日期: 'establishedOn',
  营业期限: 'term',
  经营期限: 'term',
  姓名: 'name',
  性别: 'sex',
  出生: 'birthDate',
  住址: 'address',
  公民身份号码: 'idNumber',
  签发机关: 'authority',
  有效期限: 'term',
  // Ends what stands before it.
  类型: '',
  注册资本: '',
  经营范围: '',
  登记机关: '',
  民族: '',
}
const LABEL = new RegExp(`(${Object.keys(LABELS).join('|')})[:：]?`, 'g')
/** What a sign was, where the code has no such letter. */
const MISTAKEN: Record<string, string> = { O: '0', I: '1', S: '5', Z: '2', V: 'Y' }

/** Lines of tesseract's `tsv`, from above. */
export function readLines(tsv: string): Line[] {
  const words = new Map<string, { text: string; sure: number }[]>()
  for (const row of tsv.split('\n').slice(1)) {
    const [level, page, block, paragraph, line, , , , , , sure, text = ''] = row.split('\t')
    if (Number(level) !== WORD || text.trim() === '') continue
    const place = [page, block, paragraph, line].join('.')
    words.set(place, [...(words.get(place) ?? []), { text: text.trim(), sure: Number(sure) }])
  }
  return [...words.values()].map(found => ({
    text: found.map(({ text }) => text).join(''),
    sure: found.reduce((sum, { sure }) => sum + sure, 0) / found.length,
  }))
}

export function readLicenceLines(lines: readonly Line[]): Partial<Record<LicenceField, Found>> {
  const values = labelled(lines)
  const number = creditCodeIn(lines) ?? values.get('number')
  const term = values.get('term')
  const { from, to } = readTerm((term?.text ?? '').replace(/^自/, ''))
  const day = values.get('establishedOn')
  return {
    number: found(number),
    name: found(values.get('name')),
    legalPerson: found(values.get('legalPerson')),
    address: found(values.get('address')),
    establishedOn: found(day && { ...day, text: readDay(day.text) }),
    validFrom: found(term && { ...term, text: from }),
    validTo: found(term && { ...term, text: to }),
  }
}

/** A number whose check holds says birth date and sex better than their own lines. */
export function readCardLines(
  lines: readonly Line[],
  side: CardSide,
  now: Date,
): Partial<Record<IdCardField, Found>> {
  const values = labelled(lines)
  if (side === 'back') {
    const term = values.get('term')
    const { from, to } = readTerm(term?.text ?? '')
    return {
      authority: found(values.get('authority')),
      validFrom: found(term && { ...term, text: from }),
      validTo: found(term && { ...term, text: to }),
    }
  }
  const number = lines
    .map(({ text, sure }) => ({ text: /\d{17}[\dXx]/.exec(text)?.[0].toUpperCase() ?? null, sure }))
    .find(({ text }) => text !== null)
  const said = number?.text ? readIdNumber(number.text, formatDay(now)) : null
  const from = (text: string) => number && { text, sure: number.sure }
  const birth = values.get('birthDate')
  const sex = values.get('sex')
  return {
    name: found(values.get('name')),
    sex: found(
      said ? from(said.sex === 'male' ? '男' : '女') : sex && { ...sex, text: sex.text?.[0] ?? null },
    ),
    birthDate: found(said ? from(said.birthDate) : birth && { ...birth, text: readDay(birth.text ?? '') }),
    address: found(values.get('address')),
    idNumber: found(number),
  }
}

/** The first number whose check holds; the bank's name is a drawing on most cards. */
export function readBankCardLines(lines: readonly Line[]): Partial<Record<BankCardField, Found>> {
  const numbers = lines.flatMap(({ text, sure }) =>
    [...text.matchAll(/\d{15,19}/g)].map(([digits]) => ({ text: digits, sure })),
  )
  return { number: found(numbers.find(({ text }) => isCardNumber(text))) }
}

type Value = { text: string | null; sure: number }

function found(value: Value | undefined): Found {
  return { text: value?.text || null, confidence: ((value?.sure ?? 0) / 100) * WEAK }
}

/** What stands behind each label up to the next one; a line without labels goes on with an address. */
function labelled(lines: readonly Line[]): Map<string, { text: string; sure: number }> {
  const values = new Map<string, { text: string; sure: number }>()
  let open = ''
  for (const { text, sure } of lines) {
    const labels = [...text.matchAll(LABEL)]
    const above = values.get('address')
    if (labels.length === 0 && open === 'address' && above && !/\d{15}/.test(text))
      values.set('address', { text: above.text + text, sure: Math.min(above.sure, sure) })
    for (const [place, label] of labels.entries()) {
      open = LABELS[label[1] as string] as string
      const value = text.slice(label.index + label[0].length, labels[place + 1]?.index)
      if (open !== '' && value !== '' && !values.has(open)) values.set(open, { text: value, sure })
    }
  }
  return values
}

/** The first that passes its check, as it stands or with letters put right that no code has. */
function creditCodeIn(lines: readonly Line[]): Value | undefined {
  for (const { text, sure } of lines)
    for (const [signs] of text.toUpperCase().matchAll(/[0-9A-Z]{18}/g)) {
      const mended = [...signs].map(sign => MISTAKEN[sign] ?? sign).join('')
      if (refuseLicenceNumber(mended) === null) return { text: mended, sure }
    }
  return undefined
}
