// Owns what the help centre holds: articles, videos, release notes; what is refused of them, how they are searched (D3 §2, §7).
// Must never read a clock or a database.
import type { Machine } from '#kit/declare/machine.ts'
import { setting } from '#kit/declare/settings.ts'
import { isDay } from '#kit/time.ts'
import { lengthOf } from '#kit/words/cleaned.ts'
import { RICH_LIMITS } from '#kit/words/rich.ts'

/** In the order of the tabs. */
export const HELP_KINDS = {
  flow: '使用流程',
  common: '常见问题',
  video: '视频中心',
  release: '版本更新',
} as const
export type HelpKind = keyof typeof HELP_KINDS
export const HELP_KIND_KEYS = Object.keys(HELP_KINDS) as [HelpKind, ...HelpKind[]]

/** What an address calls them (`activeName`); the documents name that of common issues alone. */
export const TAB_NAMES: Readonly<Record<HelpKind, string>> = {
  flow: 'flow',
  common: 'commonality',
  video: 'video',
  release: 'update',
}
export const HELP_PATH = '/admin/help/problem'

export const HELP_STATES = { draft: '草稿', published: '已发布' } as const
export type HelpState = keyof typeof HELP_STATES
export const HELP_STEPS = {
  publish: { from: ['draft'], to: 'published', by: ['help.edit'] },
  withdraw: { from: ['published'], to: 'draft', by: ['help.edit'] },
} as const satisfies Machine<HelpState>
export type HelpStep = keyof typeof HELP_STEPS

export const HELP_PICTURE = 'helpPicture'
export const HELP_VIDEO = 'helpVideo'
export const HELP_VIDEO_MB = setting({
  key: 'help-video-mb',
  group: '上传',
  label: '帮助视频大小',
  unit: 'MB',
  initial: 200,
  min: 10,
  max: 2_000,
  hint: '一个 mp4 或 webm 视频最大多少',
})
export const VIDEO_FORMAT = '视频格式须为mp4或webm'

export const HELP_LIMITS = {
  title: 60,
  version: 20,
  videoUrl: 300,
  pages: 10,
  comment: 200,
  category: 12,
  /** What the help centre lists, and what a search finds at most. */
  shown: 500,
  found: 30,
  related: 4,
  words: 5,
  votes: 10,
} as const
/** A release note is new to who has not read it for so many days. */
export const NEW_DAYS = 90

export const HELP_REFUSALS = {
  TITLE_REQUIRED: '请输入标题',
  TITLE_TOO_LONG: `标题不能超过${HELP_LIMITS.title}字`,
  CATEGORY_REQUIRED: '请选择分类',
  VERSION_REQUIRED: '请输入版本号',
  VERSION_TOO_LONG: `版本号不能超过${HELP_LIMITS.version}字`,
  RELEASED_REQUIRED: '请选择更新日期',
  BODY_REQUIRED: '请输入正文',
  BODY_TOO_LONG: `正文不能超过${RICH_LIMITS.text}字`,
  PICTURES_TOO_MANY: `一篇文章最多${RICH_LIMITS.pictures}张图片`,
  PICTURE_UNKNOWN: '图片不存在或已失效，请重新上传',
  VIDEO_REQUIRED: '请选择视频或输入视频链接',
  VIDEO_TWICE: '视频和视频链接只能选一个',
  VIDEO_URL_INVALID: '视频链接须以 https:// 开头',
  VIDEO_UNKNOWN: '视频不存在或已失效，请重新上传',
  PAGES_INVALID: '请选择本系统的页面',
  PAGES_TOO_MANY: `一篇文章最多对应${HELP_LIMITS.pages}个页面`,
  PUBLISHED_ALREADY: '文章已发布',
  DRAFT_ALREADY: '文章已是草稿',
  PUBLISHED_STAYS: '已发布的文章请先撤回，再删除',
  SHIPPED_STAYS: '系统自带的文章不能删除，撤回后不再显示',
} as const
export type HelpRefusal = keyof typeof HELP_REFUSALS

export const VOTE_REFUSALS = { COMMENT_TOO_LONG: `补充说明不能超过${HELP_LIMITS.comment}字` } as const

export type HelpForm = {
  kind: HelpKind
  title: string
  categoryId: number | null
  version: string
  releasedOn: string | null
  videoId: string | null
  videoUrl: string
  /** Of our own pages, from which the article is opened. */
  pages: readonly string[]
}
type Broken = { code: HelpRefusal; field: keyof HelpForm }

/** Broken rules in the order of the form. */
export function brokenIn(form: HelpForm): Broken[] {
  const isRelease = form.kind === 'release'
  const url = form.videoUrl.trim()
  const hasVideo = form.videoId !== null || url !== ''
  const rules: readonly (readonly [boolean, keyof HelpForm, HelpRefusal])[] = [
    [lengthOf(form.title) === 0, 'title', 'TITLE_REQUIRED'],
    [lengthOf(form.title) > HELP_LIMITS.title, 'title', 'TITLE_TOO_LONG'],
    [!isRelease && form.categoryId === null, 'categoryId', 'CATEGORY_REQUIRED'],
    [isRelease && lengthOf(form.version) === 0, 'version', 'VERSION_REQUIRED'],
    [lengthOf(form.version) > HELP_LIMITS.version, 'version', 'VERSION_TOO_LONG'],
    [isRelease && !isDay(form.releasedOn ?? ''), 'releasedOn', 'RELEASED_REQUIRED'],
    [form.kind === 'video' && !hasVideo, 'videoId', 'VIDEO_REQUIRED'],
    [form.videoId !== null && url !== '', 'videoUrl', 'VIDEO_TWICE'],
    [url !== '' && !isVideoLink(url), 'videoUrl', 'VIDEO_URL_INVALID'],
    [form.pages.length > HELP_LIMITS.pages, 'pages', 'PAGES_TOO_MANY'],
    [!form.pages.every(isPagePath), 'pages', 'PAGES_INVALID'],
  ]
  return rules.flatMap(([isBroken, field, code]) => (isBroken ? [{ code, field }] : []))
}

/** Of the text as it is kept; a video may stand without one. */
export function refuseBody(
  kind: HelpKind,
  { text, pictures }: { text: string; pictures: readonly string[] },
): HelpRefusal | null {
  if (text === '' && pictures.length === 0 && kind !== 'video') return 'BODY_REQUIRED'
  if ([...text].length > RICH_LIMITS.text) return 'BODY_TOO_LONG'
  return pictures.length > RICH_LIMITS.pictures ? 'PICTURES_TOO_MANY' : null
}

export function isVideoLink(url: string): boolean {
  return url.length <= HELP_LIMITS.videoUrl && /^https:\/\/[^\s\\/]+(\/[^\s\\]*)?$/i.test(url)
}

/** The path of a page, as pages.ts has it. */
export function isPagePath(path: string): boolean {
  return path.length <= 100 && /^\/admin(\/[\w$-]+)+$/.test(path)
}

/** Why the step cannot be taken from this state, or null. */
export function refuseStep(step: HelpStep, state: HelpState): HelpRefusal | null {
  const { from }: { from: readonly HelpState[] } = HELP_STEPS[step]
  if (from.includes(state)) return null
  return step === 'publish' ? 'PUBLISHED_ALREADY' : 'DRAFT_ALREADY'
}

/** Rows with such ids come with the program, which would bring them back. */
export const SHIPPED_MOST = 1_000

export function refuseRemoval({ id, state }: { id: number; state: HelpState }): HelpRefusal | null {
  if (id <= SHIPPED_MOST) return 'SHIPPED_STAYS'
  return state === 'draft' ? null : 'PUBLISHED_STAYS'
}

export function refuseVote(comment: string): keyof typeof VOTE_REFUSALS | null {
  return lengthOf(comment) > HELP_LIMITS.comment ? 'COMMENT_TOO_LONG' : null
}

/** What a video is by its first bytes; null: none that browsers play. */
export function videoTypeOf(first: Uint8Array): 'video/mp4' | 'video/webm' | null {
  const text = String.fromCharCode(...first.subarray(4, 8))
  if (text === 'ftyp') return 'video/mp4'
  const begins = [0x1a, 0x45, 0xdf, 0xa3].every((byte, at) => first[at] === byte)
  return begins ? 'video/webm' : null
}

/** The words of a search, each to be found, the longest first; few. */
export function wordsOf(search: string): string[] {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean)
  return [...new Set(words)].sort((a, b) => b.length - a.length).slice(0, HELP_LIMITS.words)
}

const EXCERPT_BEFORE = 24
const EXCERPT = 110

/** The part of a text around the first of these words that stands in it, in one line. */
export function excerptOf(text: string, words: readonly string[]): string {
  const line = text.replace(/\s+/g, ' ').trim()
  const lower = line.toLowerCase()
  const found = words.map(word => lower.indexOf(word)).filter(at => at >= 0)
  const at = found.length > 0 ? Math.min(...found) : 0
  const from = at <= EXCERPT_BEFORE ? 0 : at - EXCERPT_BEFORE
  const part = line.slice(from, from + EXCERPT)
  return `${from > 0 ? '…' : ''}${part}${from + EXCERPT < line.length ? '…' : ''}`
}

/** A text in pieces, those marked in which a word was found. */
export function markedIn(text: string, words: readonly string[]): { text: string; found: boolean }[] {
  const lower = text.toLowerCase()
  // Where a letter is lowered to more than one, places would not agree: nothing is marked then.
  const known = lower.length === text.length ? words.filter(Boolean) : []
  const pieces: { text: string; found: boolean }[] = []
  let plain = 0
  for (let at = 0; at < text.length; ) {
    const word = known.find(one => lower.startsWith(one, at))
    if (word === undefined) {
      at += 1
      continue
    }
    if (at > plain) pieces.push({ text: text.slice(plain, at), found: false })
    pieces.push({ text: text.slice(at, at + word.length), found: true })
    at += word.length
    plain = at
  }
  if (plain < text.length) pieces.push({ text: text.slice(plain), found: false })
  return pieces
}
