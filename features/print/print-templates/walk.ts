import type { Office } from '#test/app.ts'
import type { Attempt, Change, Desk, FeatureWalk } from '#test/walk-types.ts'
import { TEMPLATE_FEATURES, type TemplateKind } from './rules.ts'

let made = 0
type Sample = Readonly<Record<string, unknown>>

/** A draft of this kind by the vendor's first account; answers its number. */
export async function makeTemplate(office: Office, kind: TemplateKind, content: Sample): Promise<number> {
  const { rows } = await office.owner.query<{ id: string }>(
    `insert into print_templates (kind, name, is_custom, content, created_by, created_by_name, created_at, updated_by_name, updated_at)
     values ($1, $2, false, $3, 1, '测试', now(), '测试', now()) returning id`,
    [kind, `走查模板${++made}`, content],
  )
  return Number(rows[0]?.id)
}

/** Published to all shops; answers its number. */
async function makePublished(office: Office, kind: TemplateKind, content: Sample): Promise<number> {
  const id = await makeTemplate(office, kind, content)
  await office.owner.query(
    `insert into print_template_versions (template_id, number, kind, name, industry_ids, content, to_all, published_by, published_by_name, published_at)
     select id, 1, kind, name, industry_ids, content, true, 1, '测试', now() from print_templates where id = $1`,
    [id],
  )
  await office.owner.query(
    'update print_templates set published_version = 1, published_revision = 1 where id = $1',
    [id],
  )
  return id
}

const ALL = { all: true, industryIds: [], shopIds: [] }
const draft = (content: Sample) => ({ name: `走查模板${++made}`, industryIds: [], content })

/**
 * What a kind gives to the walks for the operations of its templates: `content` is one that its schema takes and its check finds
 * nothing wrong with.
 */
export function templateWalk(kind: TemplateKind, content: Sample) {
  const named = <T>(entries: Record<string, T>): Record<string, T> =>
    Object.fromEntries(
      Object.entries(entries).map(([name, entry]) => [`${TEMPLATE_FEATURES[kind]}.${name}`, entry]),
    )
  const forbidden = (input: object = {}): Attempt[] => [
    { as: () => ({ id: 1, ...input }), expect: ['FORBIDDEN'] },
  ]
  return {
    attempts: named<Attempt[]>({
      list: [{ as: () => ({}), expect: ['FORBIDDEN'] }],
      industries: [{ as: () => ({}), expect: ['FORBIDDEN'] }],
      shops: [{ as: () => ({ search: '店' }), expect: ['FORBIDDEN'] }],
      details: forbidden(),
      check: forbidden(),
      history: forbidden(),
      usage: forbidden(),
      save: [{ as: () => draft(content), expect: ['FORBIDDEN'] }],
      copy: forbidden(),
      remove: forbidden(),
      undelete: forbidden(),
      publish: forbidden({ revision: 1, audience: ALL }),
      widen: forbidden({ number: 1, audience: ALL }),
      withdraw: forbidden({ number: 1 }),
      restoreVersion: forbidden({ number: 1, revision: 1 }),
    }),
    reads: ({ office }: Desk) => {
      const one = async () => ({ id: await makeTemplate(office, kind, content) })
      return named({ details: one, check: one, history: one, usage: one })
    },
    changes: (desk: Desk): Record<string, Change> => {
      const unknown = (input: object = {}) => ({
        input: () => ({ id: 99_999_999, ...input }),
        code: 'NOT_FOUND',
      })
      const on =
        (make: typeof makeTemplate, input: object = {}) =>
        async () => {
          const id = await make(desk.office, kind, content)
          return desk.asOperator({ id, ...input }, `(${id})`)
        }
      return named<Change>({
        save: {
          accepted: async () => {
            const input = draft(content)
            return desk.asOperator(input, `${input.name} (`)
          },
          refused: { input: () => ({ ...draft(content), name: ' ' }), code: 'NAME_REQUIRED' },
        },
        copy: {
          accepted: async () => {
            const id = await makeTemplate(desk.office, kind, content)
            return desk.asOperator({ id }, '副本 (')
          },
          refused: unknown(),
        },
        remove: { accepted: on(makeTemplate), refused: unknown() },
        undelete: {
          accepted: on(async (...given) => {
            const id = await makeTemplate(...given)
            await desk.office.owner.query('update print_templates set deleted_at = now() where id = $1', [id])
            return id
          }),
          refused: unknown(),
        },
        publish: {
          accepted: on(makeTemplate, { revision: 1, audience: ALL }),
          refused: unknown({ revision: 1, audience: ALL }),
        },
        widen: {
          accepted: on(
            async (...given) => {
              const id = await makePublished(...given)
              await desk.office.owner.query(
                'update print_template_versions set to_all = false, to_industry_ids = array[1] where template_id = $1',
                [id],
              )
              return id
            },
            { number: 1, audience: ALL },
          ),
          refused: unknown({ number: 1, audience: ALL }),
        },
        withdraw: { accepted: on(makePublished, { number: 1 }), refused: unknown({ number: 1 }) },
        restoreVersion: {
          accepted: on(makePublished, { number: 1, revision: 1 }),
          refused: unknown({ number: 1, revision: 1 }),
        },
      })
    },
  }
}

const CONTENT = { width: 80_000, height: 40_000 }

export const walk: FeatureWalk = {
  sessionOnly: [],
  movesMoney: [],
  scene: null,
  attempts: {},
  scoped: [],
  pos: {
    'printTemplates.templates': {
      as: async ({ office, shop }) => {
        await makePublished(office, 'label', CONTENT)
        return { id: shop.id }
      },
      expect: ['NOT_FOUND'],
    },
    'printTemplates.template': {
      as: async ({ office, shop }) => ({
        ...{ id: shop.id, version: 1 },
        templateId: await makePublished(office, 'receipt', CONTENT),
      }),
      expect: ['NOT_FOUND'],
    },
  },
  changes: () => ({}),
}
