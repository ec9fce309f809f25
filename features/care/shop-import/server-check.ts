// One line of a file as a new shop, or what is wrong with each of its cells: by the rules of the form to add a shop. Pure.
import { MERCHANT_FIELDS } from '#features/shops/merchants/fields.ts'
import {
  LIMITS as MERCHANT_LIMITS,
  REFUSALS as MERCHANT_REFUSALS,
  refuseContact,
  refuseNewMerchant,
} from '#features/shops/merchants/rules.ts'
import {
  asksBranches,
  refuseNumbers,
  refuseTerm,
  type Term,
  termsOf,
  VERSION_REFUSALS,
  type VersionRefusal,
} from '#features/shops/versions/rules.ts'
import { brokenOf } from '#kit/declare/form.ts'
import { endOfDay, isDay, startOfDay } from '#kit/time.ts'
import { cleanAccount, cleanCode, cleanLine, cleanLines } from '#kit/words/cleaned.ts'
import { isPlainText } from '#kit/words/plain-text.ts'
import { spoiltCell } from '#kit/words/sheet.ts'
import {
  CELL_FAULTS,
  type CellKey,
  type Cells,
  type Defaults,
  type Fault,
  FIX_KEYS,
  type FixKey,
  type ImportForm,
} from './rules.ts'
import { type Facts, type KnownVersion, nameKey } from './server-facts.ts'

export type Line = { cells: Cells; password: string }
export type Checked = { form: ImportForm | null; faults: Fault[] }

/** Which cell is wrong where the form names a field. */
const CELL_OF: Readonly<Record<string, CellKey>> = {
  industryId: 'industry',
  districtCode: 'district',
  smsCount: 'sms',
  versionId: 'version',
  managerId: 'manager',
}
/** What no rule refuses, in the place of what one has. */
const FINE = {
  industryId: 1,
  shortName: '店',
  shopName: '店',
  personName: '人',
  account: '18000000000',
  password: 'abc123',
  smsCount: 0,
  districtCode: '110101',
  address: '',
  referrer: '',
  remark: '',
} as const
/** Given where none is written. */
const GENERATED = 'abc123'

/** Everything that is wrong with a line, each fault with the way to mend it in all lines where there is one. */
export function checkLine(line: Line, defaults: Defaults, facts: Facts): Checked {
  const checked = judge(line, defaults, facts)
  if (checked.faults.length === 0) return checked
  return { form: null, faults: checked.faults.map(fault => withFix(fault, line, defaults, facts)) }
}

function withFix(fault: Fault, line: Line, defaults: Defaults, facts: Facts): Fault {
  // What is lost is found by nobody but its person.
  if (spoiltCell(line.cells[fault.column] ?? '')) return fault
  for (const fix of FIX_KEYS) {
    const cells = mended(fix, fault.column, line.cells, facts)
    if (cells === null) continue
    const still = judge({ ...line, cells }, defaults, facts).faults
    if (!still.some(({ column }) => column === fault.column)) return { ...fault, fix }
  }
  return fault
}

function judge({ cells, password }: Line, defaults: Defaults, facts: Facts): Checked {
  const faults: Fault[] = []
  const say = (column: CellKey, message: string) => {
    if (!faults.some(fault => fault.column === column)) faults.push({ column, message })
  }
  for (const [column, written] of [...Object.entries(cells), ['password', password] as const]) {
    const spoilt = spoiltCell(written)
    if (spoilt) say(column as CellKey, spoilt)
  }
  const text = (key: CellKey) => cleanCell(key, cells[key] ?? '') || (defaults[key as keyof Defaults] ?? '')
  const form = { ...textsOf(text), ...placeOf(text, facts, say), ...peopleOf(text, facts, say) }
  const bought = boughtOf(text, facts, say)
  const dates = datesOf(text, facts, say)
  const smsCount = wholeOf(text('sms'), 0)
  if (smsCount === null) say('sms', CELL_FAULTS.sms)
  const whole = { ...form, smsCount: smsCount ?? 0, password: password === '' ? GENERATED : password }
  for (const { field, message } of brokenBy(whole, facts)) say(CELL_OF[field] ?? (field as CellKey), message)
  if (refuseContact({ shopPhone: form.shopPhone, districtCode: '110101', address: '' }))
    say('shopPhone', CELL_FAULTS.shopPhone)
  if (faults.length > 0 || !bought || !dates || form.industryId === null) return { form: null, faults }
  return {
    form: { ...form, ...bought, ...dates, industryId: form.industryId, smsCount: whole.smsCount },
    faults,
  }
}

/** Every field that the form would refuse: it names the first one, so that is mended for it to name the next. */
function brokenBy(form: Parameters<typeof refuseNewMerchant>[0], facts: Facts) {
  const broken: { field: string; message: string }[] = []
  const tried = { ...form }
  for (;;) {
    const refusal = refuseNewMerchant(tried, facts.format === 'standard' ? 'standard' : facts.format)
    if (!refusal) break
    broken.push({ field: refusal.field, message: MERCHANT_REFUSALS[refusal.code] })
    if (broken.length > 20) break
    Object.assign(tried, { [refusal.field]: FINE[refusal.field as keyof typeof FINE] })
  }
  return [...broken, ...brokenOf(MERCHANT_FIELDS, tried)]
}

type Text = (key: CellKey) => string
type Say = (column: CellKey, message: string) => void
const worded = (message: string, text: string) => message.replace('{text}', text)

function textsOf(text: Text) {
  return {
    shortName: text('shortName'),
    shopName: text('shopName'),
    personName: text('personName'),
    account: text('account'),
    address: text('address'),
    shopPhone: text('shopPhone'),
    referrer: text('referrer'),
    remark: text('remark'),
  }
}

function placeOf(text: Text, { districts, industries }: Facts, say: Say) {
  const written = text('province') + text('city') + text('district')
  const districtCode = districts.exact(written) ?? ''
  if (districtCode === '' && written !== '') say('district', worded(CELL_FAULTS.district, written))
  const industry = text('industry')
  const industryId = industries.get(nameKey(industry)) ?? null
  if (industryId === null && industry !== '') say('industry', worded(CELL_FAULTS.industry, industry))
  return { districtCode, industryId }
}

function peopleOf(text: Text, facts: Facts, say: Say): { managerId: number | null } {
  const name = text('manager')
  if (name === '') return { managerId: facts.manager }
  const managerId = facts.managers.get(nameKey(name)) ?? null
  if (managerId === null) say('manager', worded(CELL_FAULTS.manager, name))
  return { managerId }
}

type Bought = Pick<ImportForm, 'versionId' | 'term' | 'periods' | 'shops' | 'branches'>

function boughtOf(text: Text, facts: Facts, say: Say): Bought | null {
  const name = text('version')
  const version = facts.versions.get(nameKey(name))
  if (!version)
    say('version', name === '' ? VERSION_REFUSALS.VERSION_REQUIRED : worded(CELL_FAULTS.version, name))
  else if (version.refusal) say('version', VERSION_REFUSALS[version.refusal])
  const shops = wholeOf(text('shops'), 1)
  if (shops === null) say('shops', CELL_FAULTS.shops)
  const branches = wholeOf(text('branches'), version && asksBranches(version) && version.kind === 1 ? 1 : 0)
  if (branches === null) say('branches', CELL_FAULTS.branches)
  const term = facts.mode === 'takeover' && version ? termOf(version) : readTerm(text('term'), say)
  if (!version || version.refusal || !term || shops === null || branches === null) return null
  // Of the two one counts, as by the form.
  const counted = asksBranches(version) ? { shops: 1, branches } : { shops, branches: 0 }
  const bought = { versionId: version.id, ...term, ...counted }
  const unsold = facts.mode === 'takeover' ? null : refuseTerm(version, term.term)
  const broken = unsold ?? refuseNumbers(version, bought)
  if (broken) say(NUMBER_CELLS[broken] ?? 'term', VERSION_REFUSALS[broken])
  return broken ? null : bought
}

const NUMBER_CELLS: Partial<Record<VersionRefusal, CellKey>> = {
  SHOPS_TOO_FEW: 'shops',
  SHOPS_TOO_MANY: 'shops',
  BRANCHES_TOO_FEW: 'branches',
  BRANCHES_TOO_MANY: 'branches',
  VERSION_UNPRICED: 'version',
}

/** Nothing is bought where a term is taken over: the dates say how long it lasts. */
function termOf(version: KnownVersion): { term: Term; periods: number } {
  return { term: termsOf(version)[0] ?? 'year', periods: 1 }
}

/** 1年, 3个月, 永久, 按年; a number alone is years. */
export function readTerm(text: string, say: Say): { term: Term; periods: number } | null {
  if (text === '') {
    say('term', VERSION_REFUSALS.TERM_REQUIRED)
    return null
  }
  if (/^(永久|终身|终生|lifetime)$/i.test(text)) return { term: 'lifetime', periods: 1 }
  const [, number, unit] = /^(\d{1,3}|[一二三四五两半]|按)?(年|个?月)?$/.exec(text) ?? []
  const periods = number === undefined || number === '按' ? 1 : (NUMERALS[number] ?? Number(number))
  if ((number === undefined && unit === undefined) || Number.isNaN(periods)) {
    say('term', CELL_FAULTS.term)
    return null
  }
  return { term: unit?.endsWith('月') ? 'month' : 'year', periods }
}
const NUMERALS: Readonly<Record<string, number>> = {
  一: 1,
  二: 2,
  两: 2,
  三: 3,
  四: 4,
  五: 5,
  半: Number.NaN,
}

function wholeOf(text: string, empty: number): number | null {
  if (text === '') return empty
  const plain = /^\d{1,3}(,\d{3})+(\.0+)?$/.test(text) ? text.replaceAll(',', '') : text
  return /^\d{1,9}(\.0+)?$/.test(plain) ? Number(plain) : null
}

function datesOf(text: Text, facts: Facts, say: Say): Pick<ImportForm, 'registeredAt' | 'expiresAt'> | null {
  if (facts.mode === 'charge') return { registeredAt: null, expiresAt: null }
  const registered = readDay(text('registeredAt'))
  const written = text('expiresAt')
  const isForever = /^(永久|终身|终生|无限期|长期)$/.test(written)
  const expires = isForever ? null : readDay(written)
  if (registered === null) say('registeredAt', CELL_FAULTS.registeredAt)
  else if (registered > facts.today) say('registeredAt', CELL_FAULTS.future)
  if (expires === null && !isForever) say('expiresAt', CELL_FAULTS.expiresAt)
  else if (registered !== null && expires !== null && expires < registered)
    say('expiresAt', CELL_FAULTS.order)
  if (registered === null) return null
  return {
    registeredAt: startOfDay(registered).toISOString(),
    expiresAt: expires === null ? null : new Date(endOfDay(expires).getTime() - 1_000).toISOString(),
  }
}

const DAY_MS = 86_400_000
/** Days since the last one of 1899, as spreadsheets count them: from 1990 to 2099. */
const SERIAL = { first: 32_874, last: 73_050, epoch: 25_569 } as const

/** A day as people, programs and spreadsheets write it, as YYYY-MM-DD; null for anything else. */
export function readDay(text: string): string | null {
  const serial = /^\d{5}(\.\d+)?$/.test(text) ? Math.floor(Number(text)) : 0
  if (serial >= SERIAL.first && serial <= SERIAL.last)
    return new Date((serial - SERIAL.epoch) * DAY_MS).toISOString().slice(0, 10)
  const [, year, month = '', day = ''] =
    /^(\d{4})[-/.年 ](\d{1,2})[-/.月 ](\d{1,2})日?(?:[ T].*)?$/.exec(text) ??
    /^(\d{4})(\d\d)(\d\d)$/.exec(text) ??
    []
  if (year === undefined) return null
  const written = `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`
  return isDay(written) ? written : null
}

const PHONES: ReadonlySet<CellKey> = new Set(['account', 'shopPhone'])
const NUMBERS: ReadonlySet<CellKey> = new Set([
  'sms',
  'shops',
  'branches',
  'term',
  'registeredAt',
  'expiresAt',
])
/** A spreadsheet keeps a phone as a number and writes it so; whose digits are fewer is another number. */
const WHOLE_MOBILE = /^(1[3-9]\d{9})\.0+$/

/** A cell as what its column is, before any rule sees it. */
export function cleanCell(column: CellKey, text: string): string {
  if (PHONES.has(column)) return cleanAccount(cleanCode(text).replace(WHOLE_MOBILE, '$1'))
  if (NUMBERS.has(column)) return column.endsWith('At') ? cleanLine(text.normalize('NFKC')) : cleanCode(text)
  return column === 'remark' ? cleanLines(text) : cleanLine(text)
}

const NAMES: ReadonlySet<CellKey> = new Set(['shortName', 'shopName'])
const MOST: Partial<Record<CellKey, number>> = {
  shortName: MERCHANT_LIMITS.shortName,
  shopName: MERCHANT_LIMITS.shopName,
  personName: MERCHANT_LIMITS.personName,
  address: MERCHANT_LIMITS.address,
  referrer: MERCHANT_LIMITS.referrer,
  remark: MERCHANT_LIMITS.remark,
}
const REGION: readonly CellKey[] = ['province', 'city', 'district']
/** The cells with this one mended, or null where that changes nothing. */
export function mended(fix: FixKey, column: CellKey, cells: Cells, facts: Facts): Cells | null {
  if (REGION.includes(column)) return place(fix, cells, facts)
  const before = cells[column] ?? ''
  const after = text(fix, column, before)
  return after === before ? null : { ...cells, [column]: after }
}

function text(fix: FixKey, column: CellKey, before: string): string {
  switch (fix) {
    case 'symbols':
      return NAMES.has(column) ? [...before].filter(isPlainText).join('').trim() : before
    case 'long': {
      const most = MOST[column]
      return most === undefined ? before : [...before.trim()].slice(0, most).join('')
    }
    default:
      return before
  }
}

function place(fix: FixKey, cells: Cells, { districts }: Facts): Cells | null {
  const written = REGION.map(key => cells[key] ?? '').join('')
  if (fix === 'region') {
    const text = written.normalize('NFKC')
    const code = districts.loose(text)
    if (code !== null) return { ...cells, ...districts.namesOf(code) }
    const undivided = districts.ofUndivided(text)
    if (undivided === null) return null
    const address = cells.address ?? ''
    const isThere = address.includes(undivided.rest)
    return {
      ...cells,
      ...districts.namesOf(undivided.code),
      address: isThere ? address : undivided.rest + address,
    }
  }
  if (fix !== 'regionOfAddress' || cells.address === undefined) return null
  const found = districts.ofAddress(cells.address)
  return found === null ? null : { ...cells, ...districts.namesOf(found.code), address: found.rest }
}
