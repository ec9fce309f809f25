// What the fields of an entry for all partners and their lists are: pictures of the carousel, and texts.
import type { Fields } from '#kit/declare/fields.ts'
import { list } from '#kit/declare/list.ts'
import { CAROUSEL_PICTURE, CONTENT_KINDS, CONTENT_LIMITS, type ContentKind, ONE_PICTURE } from './rules.ts'

export const CONTENT_FIELDS = {
  picture: { kind: 'text', label: '图片' },
  title: { kind: 'text', label: '标题' },
  enabled: { kind: 'flag', label: '状态' },
  body: { kind: 'text', label: '正文' },
  link: { kind: 'text', label: '链接' },
  publishedAt: { kind: 'instant', label: '发布时间' },
  createdByName: { kind: 'text', label: '创建人' },
  updatedAt: { kind: 'instant', label: '修改时间' },
} as const satisfies Fields

const LISTED = {
  key: 'content.list',
  title: '内容管理',
  fields: CONTENT_FIELDS,
  search: '标题 / 正文',
} as const
const TITLE = { opens: true, card: 'title' } as const
const STATE = { width: 80, card: 'fact' } as const
const LINK = { width: 152 } as const
const PUBLISHED = { card: 'fact' } as const
const BY = { createdByName: { width: 80 }, updatedAt: {} } as const

export const CAROUSEL = list({
  ...LISTED,
  keptAs: 'content.carousel',
  columns: {
    picture: { width: 104, fixed: 'start' },
    title: { ...TITLE, width: 176 },
    enabled: STATE,
    body: { title: '说明', width: 176 },
    link: LINK,
    publishedAt: PUBLISHED,
    ...BY,
  },
  empty: emptyText('carousel'),
})

const TEXTS = {
  ...LISTED,
  columns: {
    title: { ...TITLE, width: 208 },
    enabled: STATE,
    publishedAt: PUBLISHED,
    body: { width: 248 },
    link: LINK,
    ...BY,
  },
} as const
export const NOTICES = list({ ...TEXTS, keptAs: 'content.notice', empty: emptyText('notice') })

function emptyText(kind: ContentKind): string {
  return `还没有${CONTENT_KINDS[kind]}，新增后显示在所有代理商的首页`
}

/** What is asked of an entry of a kind. */
export function entryFields(kind: ContentKind) {
  const isCarousel = kind === 'carousel'
  const limits = CONTENT_LIMITS[kind]
  return {
    pictureId: {
      ...CONTENT_FIELDS.picture,
      nullable: true,
      control: { as: 'picture', purpose: CAROUSEL_PICTURE, onlyOne: ONE_PICTURE },
    },
    title: {
      ...CONTENT_FIELDS.title,
      max: limits.title,
      control: { as: 'text', required: true, counted: true },
    },
    body: {
      ...CONTENT_FIELDS.body,
      label: isCarousel ? '说明' : CONTENT_FIELDS.body.label,
      max: limits.body,
      control: {
        as: 'lines',
        rows: isCarousel ? 2 : 8,
        required: isCarousel ? undefined : true,
        counted: true,
      },
    },
    link: {
      ...CONTENT_FIELDS.link,
      control: { as: 'text', hint: '本系统页面的地址，如 /admin/order/versionsOrder；留空则不跳转' },
    },
    publishedAt: {
      ...CONTENT_FIELDS.publishedAt,
      control: { as: 'own', required: true, hint: '到时间后才展示' },
    },
    enabled: { kind: 'flag', label: '展示', control: { as: 'switch', first: true } },
  } as const satisfies Fields
}
