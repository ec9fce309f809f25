import { insertRows } from '#server/insert-rows.ts'
import type { Office } from '#test/app.ts'
import { type FeatureWalk, own } from '#test/walk-types.ts'
import { CONTENT_ITEMS } from './demo.ts'
import { contentItems } from './tables.ts'

let made = 0
const notice = () => ({
  id: null,
  updatedAt: null,
  kind: 'notice' as const,
  title: `公告${++made}`,
  body: '正文',
  enabled: true,
  publishedAt: '2026-01-01T00:00:00.000Z',
})

/** What the demo tells, of which a fresh office has nothing. */
const tell = ({ owner }: Office) => insertRows(owner, contentItems, CONTENT_ITEMS, 'on conflict do nothing')

/** Content is the vendor's and is read by all: there is no row of A to reach. */
export const walk: FeatureWalk = {
  sessionOnly: ['content.shown', 'content.notices', 'content.item'],
  movesMoney: [],
  async scene({ office }) {
    await tell(office)
    return {}
  },
  attempts: {
    'content.shown': [own()],
    'content.notices': [own()],
    'content.item': [own({ id: 11 })],
    'content.list': [own()],
    'content.save': [own(notice())],
    'content.setEnabled': [own({ id: 11, enabled: true })],
    'content.reorder': [own({ ids: [1, 2, 3] })],
  },
  scoped: [],
  reads: ({ office }) => ({
    'content.item': async () => {
      await tell(office)
      return { id: 11 }
    },
  }),
  changes: desk => ({
    'content.save': {
      accepted: async () => {
        const input = notice()
        return desk.asOperator(input, input.title)
      },
      refused: { input: () => ({ ...notice(), title: '' }), code: 'TITLE_REQUIRED' },
    },
    'content.setEnabled': {
      accepted: async () => {
        const input = notice()
        const { id } = await desk.office.as(desk.operatorCookie).content.save(input)
        return desk.asOperator({ id, enabled: false }, `${input.title} (${id})`)
      },
      refused: { input: () => ({ id: 99_999_999, enabled: false }), code: 'NOT_FOUND' },
    },
    'content.reorder': {
      async accepted() {
        await tell(desk.office)
        return desk.asOperator({ ids: [2, 1, 3] }, '轮播图')
      },
      refused: { input: () => ({ ids: [1, 2] }), code: 'ORDER_CHANGED' },
    },
  }),
}
