import type { Office } from '#test/app.ts'
import { type FeatureWalk, MARK, own, search } from '#test/walk-types.ts'

let made = 0

/** A published article with a vote of A's account, by its owner's hand. */
async function makeArticle(
  office: Office,
  { title = `文章${++made}`, state = 'published' }: { title?: string; state?: string } = {},
): Promise<number> {
  const { rows } = await office.owner.query<{ id: string }>(
    `insert into help_articles (kind, state, title, category_id, body, body_text, published_at, created_by_name, updated_by_name, updated_at)
     values ('flow', $2, $1, 1, '<p>正文</p>', '正文', case when $2 = 'published' then now() end, '测试', '测试', now()) returning id`,
    [title, state],
  )
  return Number(rows[0]?.id)
}

const form = () => ({
  ...{ kind: 'flow', title: `走查${++made}`, categoryId: 1, version: '', releasedOn: null },
  ...{ videoId: null, videoUrl: '', pages: ['/admin/index'], body: '<p>正文</p>' },
})

/** Articles are the vendor's and read by all; of A there are its votes, with its name and word. */
export const walk: FeatureWalk = {
  sessionOnly: [
    'help.home',
    'help.search',
    'help.article',
    'help.pages',
    'help.releases',
    'help.opened',
    'help.vote',
  ],
  movesMoney: [],
  async scene({ office, a }) {
    const article = await makeArticle(office, { title: '大家都读的文章' })
    await office.owner.query(
      `insert into help_votes (article_id, agent_id, account_id, account_name, useful, comment, voted_at)
       values ($1, $2, $3, $4, true, $4, now())`,
      [article, a.id, a.accountId, MARK],
    )
    return { helpArticle: article }
  },
  attempts: {
    'help.home': [own()],
    'help.search': [search(() => MARK)],
    'help.article': [{ as: ({ extra }) => ({ id: extra.helpArticle }), expect: 'own' }],
    'help.pages': [own()],
    'help.releases': [own()],
    'help.opened': [{ as: ({ extra }) => ({ id: extra.helpArticle }), expect: 'own' }],
    'help.vote': [{ as: ({ extra }) => ({ id: extra.helpArticle, useful: false }), expect: 'own' }],
    'help.list': [{ as: () => ({}), expect: ['FORBIDDEN'] }],
    'help.details': [{ as: ({ extra }) => ({ id: extra.helpArticle }), expect: ['FORBIDDEN'] }],
    'help.categories': [own()],
    'help.votes': [{ as: ({ extra }) => ({ id: extra.helpArticle }), expect: ['FORBIDDEN'] }],
    'help.save': [{ as: form, expect: ['FORBIDDEN'] }],
    'help.setState': [
      { as: ({ extra }) => ({ id: extra.helpArticle, step: 'withdraw' }), expect: ['FORBIDDEN'] },
    ],
    'help.remove': [{ as: ({ extra }) => ({ id: extra.helpArticle }), expect: ['FORBIDDEN'] }],
  },
  scoped: [],
  reads: desk => ({
    'help.article': async () => ({ id: await makeArticle(desk.office) }),
    'help.details': async () => ({ id: await makeArticle(desk.office) }),
    'help.votes': async () => ({ id: await makeArticle(desk.office) }),
  }),
  changes: desk => {
    const unknown = (more: object = {}) => ({ input: () => ({ id: 99_999_999, ...more }), code: 'NOT_FOUND' })
    return {
      'help.vote': {
        async accepted() {
          const id = await makeArticle(desk.office)
          return desk.asPartner({ id, useful: true }, `(${id})`)
        },
        refused: unknown({ useful: true }),
      },
      'help.save': {
        async accepted() {
          const input = form()
          return desk.asOperator(input, `${input.title} (`)
        },
        refused: { input: () => ({ ...form(), title: ' ' }), code: 'TITLE_REQUIRED' },
      },
      'help.setState': {
        async accepted() {
          const id = await makeArticle(desk.office, { state: 'draft' })
          return desk.asOperator({ id, step: 'publish' }, `(${id})`)
        },
        refused: unknown({ step: 'publish' }),
      },
      'help.remove': {
        async accepted() {
          const id = await makeArticle(desk.office, { state: 'draft' })
          return desk.asOperator({ id }, `(${id})`)
        },
        refused: unknown(),
      },
    }
  },
}
