import { templateWalk } from '#features/print/print-templates/walk.ts'
import type { Office } from '#test/app.ts'
import type { FeatureWalk } from '#test/walk-types.ts'
import { RECEIPT_GROUPS, RECEIPT_SAMPLES } from './reference.ts'

let made = 0
/** Of no file. */
const NO_LOGO = '6f0c2a4e-8d51-4c0b-9a57-0f2f5b7c9d11'

const [BASIC] = RECEIPT_GROUPS
const SAMPLE = RECEIPT_SAMPLES[0] as (typeof RECEIPT_SAMPLES)[number]
const templates = templateWalk('receipt', SAMPLE.content as unknown as Record<string, unknown>)

const group = () => ({
  ...{ name: `走查分组${++made}`, section: 'basic', tags: '走查', remarks: '' },
  items: BASIC?.items ?? [],
})

async function makeGroup(office: Office): Promise<number> {
  const { name, section, items } = group()
  const { rows } = await office.owner.query<{ id: string }>(
    `insert into receipt_groups (name, section, items, updated_by_name, updated_at) values ($1, $2, $3, '测试', now()) returning id`,
    [name, section, JSON.stringify(items)],
  )
  return Number(rows[0]?.id)
}

/** Receipts are the vendor's alone. */
export const walk: FeatureWalk = {
  sessionOnly: [],
  movesMoney: [],
  scene: null,
  attempts: {
    ...templates.attempts,
    'receipts.groups': [{ as: () => ({}), expect: ['FORBIDDEN'] }],
    'receipts.saveGroup': [{ as: group, expect: ['FORBIDDEN'] }],
    'receipts.removeGroup': [{ as: () => ({ id: 1 }), expect: ['FORBIDDEN'] }],
    'receipts.logos': [{ as: () => ({ ids: NO_LOGO }), expect: ['FORBIDDEN'] }],
    'receipts.paper': [
      { as: () => ({ content: SAMPLE.content, type: 'sale', paper: 58 }), expect: ['FORBIDDEN'] },
    ],
  },
  scoped: [],
  reads: desk => ({
    ...templates.reads(desk),
    'receipts.logos': async () => ({ ids: NO_LOGO }),
    'receipts.paper': async () => ({ content: SAMPLE.content, type: 'sale', paper: 58 }),
  }),
  changes: desk => ({
    ...templates.changes(desk),
    'receipts.saveGroup': {
      async accepted() {
        const input = group()
        return desk.asOperator(input, `${input.name} (`)
      },
      refused: { input: () => ({ ...group(), name: ' ' }), code: 'GROUP_NAME_REQUIRED' },
    },
    'receipts.removeGroup': {
      async accepted() {
        const id = await makeGroup(desk.office)
        return desk.asOperator({ id }, `(${id})`)
      },
      refused: { input: () => ({ id: 99_999_999 }), code: 'NOT_FOUND' },
    },
  }),
}
