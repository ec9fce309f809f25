// Owns what staff tell all partners on the start page: pictures of the carousel, system notices (D1 §2). Release notes are the help
// centre's.
// Must never read a clock or a database.
import { formatCount } from '#kit/money.ts'

export const CONTENT_KINDS = { carousel: '轮播图', notice: '系统公告' } as const
export type ContentKind = keyof typeof CONTENT_KINDS
export const CONTENT_KIND_KEYS = Object.keys(CONTENT_KINDS) as ContentKind[]

/** The purpose under which app/ lets pictures of the carousel be uploaded. */
export const CAROUSEL_PICTURE = 'carousel'
export const ONE_PICTURE = '只能上传一张轮播图片'
/** What the carousel shows at most, and what can be put in order at once. */
export const CAROUSEL_MOST = 10
export const REORDER_MOST = 100
export const CAROUSEL_SECONDS = 3

export const CONTENT_LIMITS: Record<ContentKind, { title: number; body: number }> = {
  carousel: { title: 24, body: 80 },
  notice: { title: 60, body: 5_000 },
}

export const CONTENT_REFUSALS = {
  TITLE_REQUIRED: '请输入标题',
  TITLE_TOO_LONG: `标题不得超过${CONTENT_LIMITS.notice.title}字`,
  CAROUSEL_TITLE_TOO_LONG: `轮播图的标题不得超过${CONTENT_LIMITS.carousel.title}字`,
  BODY_REQUIRED: '请输入正文',
  BODY_TOO_LONG: `正文不得超过${formatCount(CONTENT_LIMITS.notice.body)}字`,
  CAROUSEL_BODY_TOO_LONG: `轮播图的文字不得超过${CONTENT_LIMITS.carousel.body}字`,
  LINK_OWN: '链接须为本系统页面，如 /admin/order/versionsOrder',
  PUBLISHED_INVALID: '请选择发布时间',
  PICTURE_UNKNOWN: '图片不存在或已失效，请重新上传',
  ORDER_CHANGED: '轮播图已有变化，请刷新后重新排序',
} as const
export type ContentRefusal = keyof typeof CONTENT_REFUSALS

export type ContentForm = {
  kind: ContentKind
  title: string
  body: string
  link: string
  /** ISO text; anything else is no time. */
  publishedAt: string
}

/** The first broken rule of a form, with its field. */
export function refuseContent(form: ContentForm): { code: ContentRefusal; field: string } | null {
  const limits = CONTENT_LIMITS[form.kind]
  const [title, body] = [form.title.trim(), form.body.trim()]
  const isCarousel = form.kind === 'carousel'
  if (title === '') return { code: 'TITLE_REQUIRED', field: 'title' }
  if (title.length > limits.title)
    return { code: isCarousel ? 'CAROUSEL_TITLE_TOO_LONG' : 'TITLE_TOO_LONG', field: 'title' }
  if (body === '' && !isCarousel) return { code: 'BODY_REQUIRED', field: 'body' }
  if (body.length > limits.body)
    return { code: isCarousel ? 'CAROUSEL_BODY_TOO_LONG' : 'BODY_TOO_LONG', field: 'body' }
  if (!isOwnLink(form.link.trim())) return { code: 'LINK_OWN', field: 'link' }
  const year = new Date(form.publishedAt).getUTCFullYear()
  if (!(year >= 2000 && year <= 2100)) return { code: 'PUBLISHED_INVALID', field: 'publishedAt' }
  return null
}

/** Empty, or the path of a page of ours with its query. */
export function isOwnLink(link: string): boolean {
  return link === '' || /^\/admin(\/[\w-]+)+(\?[\w=&%.,-]{1,200})?$/.test(link)
}

const SUMMARY_LENGTH = 80

/** The beginning of a text in one line. */
export function summaryOf(body: string): string {
  const line = body.replace(/\s+/g, ' ').trim()
  return line.length > SUMMARY_LENGTH ? `${line.slice(0, SUMMARY_LENGTH)}…` : line
}
