// Owns what of software and papers can be downloaded: for which system, in which version, what is refused (D3 §2 Downloads).
// Must never read a clock or a database.
import { setting } from '#kit/declare/settings.ts'
import { lengthOf } from '#kit/words/cleaned.ts'

/** In the order of the page. */
export const SYSTEMS = {
  windows: 'Windows',
  macos: 'macOS',
  android: 'Android',
  ios: 'iOS',
  linux: 'Linux',
  manual: '使用手册',
  material: '宣传资料',
} as const
export type System = keyof typeof SYSTEMS
export const SYSTEM_KEYS = Object.keys(SYSTEMS) as [System, ...System[]]

/** The purpose of what staff upload here. */
export const DOWNLOAD_FILE = 'downloadFile'
export const DOWNLOAD_MB = setting({
  key: 'download-file-mb',
  group: '上传',
  label: '下载中心文件大小',
  unit: 'MB',
  initial: 500,
  min: 10,
  max: 2_000,
  hint: '下载中心的一个文件最大多少',
})

export const DOWNLOAD_LIMITS = { name: 40, version: 20, notes: 500, fileName: 100, link: 300 } as const
/** Whoever begins a file anew within so many minutes goes on with the same download. */
export const SAME_DOWNLOAD_MINUTES = 60

export const DOWNLOAD_REFUSALS = {
  SYSTEM_REQUIRED: '请选择适用系统',
  NAME_REQUIRED: '请输入名称',
  NAME_TOO_LONG: `名称不能超过${DOWNLOAD_LIMITS.name}字`,
  VERSION_REQUIRED: '请输入版本号',
  VERSION_INVALID: `版本号由数字、字母、点和横线组成，不超过${DOWNLOAD_LIMITS.version}字`,
  NOTES_TOO_LONG: `说明不能超过${DOWNLOAD_LIMITS.notes}字`,
  FILE_REQUIRED: '请选择文件或输入下载链接',
  FILE_TWICE: '文件和下载链接只能选一个',
  FILE_UNKNOWN: '文件不存在或已失效，请重新上传',
  FILE_NAME_INVALID: `文件名不能为空，不能包含 \\ / : * ? " < > |，不超过${DOWNLOAD_LIMITS.fileName}字`,
  LINK_INVALID: '下载链接须以 https:// 开头',
  VERSION_KNOWN: '该系统下已有这个名称和版本的文件',
  WITHDRAWN_ALREADY: '文件已下架',
  OFFERED_ALREADY: '文件已在架上',
} as const
export type DownloadRefusal = keyof typeof DOWNLOAD_REFUSALS

export type DownloadForm = {
  system: System | null
  name: string
  version: string
  notes: string
  fileId: string | null
  fileName: string
  /** Where it lies, where that is not here: the shop of a phone's applications. */
  link: string
}
type Broken = { code: DownloadRefusal; field: keyof DownloadForm }

/** Broken rules in the order of the form. */
export function brokenIn(form: DownloadForm): Broken[] {
  const link = form.link.trim()
  const version = form.version.trim()
  const rules: readonly (readonly [boolean, keyof DownloadForm, DownloadRefusal])[] = [
    [form.system === null, 'system', 'SYSTEM_REQUIRED'],
    [lengthOf(form.name) === 0, 'name', 'NAME_REQUIRED'],
    [lengthOf(form.name) > DOWNLOAD_LIMITS.name, 'name', 'NAME_TOO_LONG'],
    [version === '', 'version', 'VERSION_REQUIRED'],
    [version !== '' && !/^[\dA-Za-z][\dA-Za-z.-]{0,19}$/.test(version), 'version', 'VERSION_INVALID'],
    [form.fileId === null && link === '', 'fileId', 'FILE_REQUIRED'],
    [form.fileId !== null && link !== '', 'link', 'FILE_TWICE'],
    [form.fileId !== null && !isFileName(form.fileName), 'fileName', 'FILE_NAME_INVALID'],
    [link !== '' && !isDownloadLink(link), 'link', 'LINK_INVALID'],
    [lengthOf(form.notes) > DOWNLOAD_LIMITS.notes, 'notes', 'NOTES_TOO_LONG'],
  ]
  return rules.flatMap(([isBroken, field, code]) => (isBroken ? [{ code, field }] : []))
}

/** A name under which every system keeps a file. */
export function isFileName(text: string): boolean {
  const name = text.trim()
  const length = lengthOf(name)
  // biome-ignore lint/suspicious/noControlCharactersInRegex: those are what a name must not hold.
  const isPlain = !/[\u0000-\u001f\u007f\u200e\u200f\u202a-\u202e\u2066-\u2069\\/:*?"<>|]/.test(name)
  return length > 0 && length <= DOWNLOAD_LIMITS.fileName && isPlain && !name.startsWith('.')
}

export function isDownloadLink(link: string): boolean {
  return link.length <= DOWNLOAD_LIMITS.link && /^https:\/\/[^\s\\/]+(\/[^\s\\]*)?$/i.test(link)
}

/** Why it cannot be withdrawn, or offered again, or null. */
export function refuseWithdrawal(withdrawnAt: string | null, wanted: boolean): DownloadRefusal | null {
  if (wanted === (withdrawnAt === null)) return null
  return wanted ? 'WITHDRAWN_ALREADY' : 'OFFERED_ALREADY'
}

/** By its numbers: 2.10 comes after 2.9; what is no number by its letters, behind none: 2.0-beta comes before 2.0. */
export function compareVersions(a: string, b: string): number {
  const [as, bs] = [partsOf(a), partsOf(b)]
  for (let at = 0; at < Math.max(as.length, bs.length); at += 1) {
    const step = compareParts(as[at] ?? 0, bs[at] ?? 0)
    if (step !== 0) return step
  }
  return 0
}

const partsOf = (version: string) =>
  version
    .toLowerCase()
    .replace(/^v(?=\d)/, '')
    .split(/[.-]/)
    .map(part => (/^\d+$/.test(part) ? Number(part) : part))

function compareParts(a: string | number, b: string | number): number {
  if (typeof a === 'number' && typeof b === 'number') return a - b
  if (typeof a === 'string' && typeof b === 'string') return a < b ? -1 : Number(a > b)
  return typeof a === 'string' ? -1 : 1
}

type Offered = { id: number; system: System; name: string; version: string }

/** The newest of each name first, then the older ones; each knows whether it is the latest of its name. */
export function inOrder<F extends Offered>(files: readonly F[]): (F & { isLatest: boolean })[] {
  const byVersion = files.toSorted((a, b) => compareVersions(b.version, a.version) || b.id - a.id)
  const latest = new Map<string, number>()
  for (const { id, system, name } of byVersion)
    if (!latest.has(`${system} ${name}`)) latest.set(`${system} ${name}`, id)
  const marked = byVersion.map(file => ({
    ...file,
    isLatest: latest.get(`${file.system} ${file.name}`) === file.id,
  }))
  return [...marked.filter(({ isLatest }) => isLatest), ...marked.filter(({ isLatest }) => !isLatest)]
}

/** A size as people say it. */
export function sizeWords(bytes: number): string {
  const units = ['B', 'KB', 'MB', 'GB']
  let [value, unit] = [bytes, 0]
  while (value >= 1_024 && unit < units.length - 1) [value, unit] = [value / 1_024, unit + 1]
  const digits = unit === 0 || value >= 100 ? 0 : 1
  return `${value.toFixed(digits)} ${units[unit]}`
}

/** Any file is taken: what it is, its name says. */
export const FILE_TYPE = 'application/octet-stream'
