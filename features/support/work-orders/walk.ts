import { drizzle } from 'drizzle-orm/node-postgres'
import type { Office } from '#test/app.ts'
import { type Attempt, type FeatureWalk, MARK, own, search } from '#test/walk-types.ts'
import { workOrderMessageRow, workOrderRow } from './rows.ts'
import { workOrderMessages, workOrders } from './tables.ts'

type Given = Omit<Parameters<typeof workOrderRow>[0], 'createdAt'> & { createdAt?: string }

/** A work order with what its partner said first. */
export async function makeWorkOrder(office: Office, given: Given): Promise<number> {
  const db = drizzle(office.owner)
  const createdAt = given.createdAt ?? new Date().toISOString()
  const [made] = await db
    .insert(workOrders)
    .values(workOrderRow({ ...given, createdAt }))
    .returning()
  const { id, agentId, title } = made as typeof workOrders.$inferSelect
  await db
    .insert(workOrderMessages)
    .values(workOrderMessageRow({ agentId, workOrderId: id, text: title, createdAt }))
  return id
}

const theirs = (more: Record<string, unknown> = {}, which = 'workOrder'): Attempt => ({
  as: ({ extra }) => ({ id: extra[which], ...more }),
  expect: ['NOT_FOUND'],
})
const SAID = { text: '补充一张截图' }
const ASKED = { kind: 'fault', urgency: 'normal', title: '打印机离线', text: '换了网线也不行' }

export const walk: FeatureWalk = {
  ofAgency: ['workOrders.people'],
  sessionOnly: [],
  movesMoney: [],
  async scene({ office, a }) {
    const of = { agentId: a.id, merchantId: a.shops[0] as number, shopName: MARK, title: MARK }
    const doneAt = new Date().toISOString()
    return {
      workOrder: await makeWorkOrder(office, of),
      doneWorkOrder: await makeWorkOrder(office, { ...of, state: 'done', doneAt }),
    }
  },
  attempts: {
    'workOrders.list': [own(), search(() => MARK), search(({ a }) => a.shops[0])],
    'workOrders.all': [own(), search(() => MARK)],
    'workOrders.list (file)': [own()],
    'workOrders.all (file)': [own()],
    'workOrders.counts': [own()],
    'workOrders.allCounts': [own()],
    'workOrders.details': [theirs()],
    'workOrders.presence': [theirs()],
    'workOrders.answers': [own()],
    'workOrders.people': [own()],
    'workOrders.create': [
      { as: ({ a }) => ({ ...ASKED, merchantId: a.shops[0] }), expect: ['SHOP_UNKNOWN'] },
    ],
    'workOrders.say': [theirs(SAID)],
    'workOrders.answer': [theirs({ ...SAID, revision: 0 })],
    'workOrders.note': [theirs(SAID)],
    'workOrders.step': [theirs({ step: 'accept', revision: 0 })],
    'workOrders.assign': [theirs({ accountId: null, revision: 0 })],
    'workOrders.setDue': [theirs({ dueAt: new Date(Date.now() + 86_400_000).toISOString(), revision: 0 })],
    'workOrders.close': [theirs()],
    'workOrders.reopen': [theirs({ reason: '问题又出现' }, 'doneWorkOrder')],
    'workOrders.rate': [theirs({ satisfaction: '5' }, 'doneWorkOrder')],
    'workOrders.remove': [theirs()],
    'workOrders.read': [theirs()],
    'workOrders.here': [theirs()],
  },
  scoped: [
    ...['workOrders.list', 'workOrders.all', 'workOrders.list (file)', 'workOrders.all (file)'],
    ...['workOrders.details', 'workOrders.presence', 'workOrders.create', 'workOrders.say'],
    ...['workOrders.answer', 'workOrders.note', 'workOrders.step', 'workOrders.assign', 'workOrders.setDue'],
    ...['workOrders.close', 'workOrders.reopen', 'workOrders.rate', 'workOrders.remove'],
    ...['workOrders.read', 'workOrders.here'],
  ],
  reads: desk => {
    const fresh = async () => ({ id: await makeWorkOrder(desk.office, { agentId: desk.partner.id }) })
    return { 'workOrders.details': fresh, 'workOrders.presence': fresh }
  },
  changes: desk => {
    const fresh = (more: Partial<Given> = {}) =>
      makeWorkOrder(desk.office, {
        ...{ agentId: desk.partner.id, createdBy: desk.partner.accountId, ...more },
      })
    const byPartner = async (with_: Record<string, unknown> = {}, more: Partial<Given> = {}) => {
      const id = await fresh(more)
      return desk.asPartner({ id, ...with_ }, `打印机离线 (${id})`)
    }
    const byStaff = async (with_: Record<string, unknown> = {}) => {
      const id = await fresh()
      return desk.asOperator({ id, ...with_ }, `打印机离线 (${id})`)
    }
    const done = { state: 'done', doneAt: new Date().toISOString() } as const
    const missing = (more: Record<string, unknown> = {}) => ({
      input: () => ({ id: 99_999_999, ...more }),
      code: 'NOT_FOUND',
    })
    const due = () => new Date(Date.now() + 86_400_000).toISOString()
    return {
      'workOrders.create': {
        accepted: async () => desk.asPartner(ASKED, '打印机离线 ('),
        refused: { input: () => ({ ...ASKED, title: ' ' }), code: 'TITLE_REQUIRED' },
      },
      'workOrders.say': {
        accepted: () => byPartner(SAID),
        refused: { input: () => ({ id: 1, text: ' ' }), code: 'CONTENT_REQUIRED' },
      },
      'workOrders.answer': {
        accepted: () => byStaff({ ...SAID, revision: 0 }),
        refused: { input: () => ({ id: 1, text: ' ', revision: 0 }), code: 'CONTENT_REQUIRED' },
      },
      'workOrders.note': {
        accepted: () => byStaff(SAID),
        refused: { input: () => ({ id: 1, text: ' ' }), code: 'CONTENT_REQUIRED' },
      },
      'workOrders.step': {
        accepted: () => byStaff({ step: 'accept', revision: 0 }),
        refused: missing({ step: 'accept', revision: 0 }),
      },
      'workOrders.assign': {
        accepted: () => byStaff({ accountId: desk.operator.accountId, revision: 0 }),
        refused: missing({ accountId: null, revision: 0 }),
      },
      'workOrders.setDue': {
        accepted: () => byStaff({ dueAt: due(), revision: 0 }),
        refused: { input: () => ({ id: 1, dueAt: null, revision: 0 }), code: 'DUE_REQUIRED' },
      },
      'workOrders.close': { accepted: () => byPartner(), refused: missing() },
      'workOrders.reopen': {
        accepted: () => byPartner({ reason: '问题又出现' }, done),
        refused: { input: () => ({ id: 1, reason: ' ' }), code: 'REASON_REQUIRED' },
      },
      'workOrders.rate': {
        accepted: () => byPartner({ satisfaction: '5' }, done),
        refused: missing({ satisfaction: '5' }),
      },
      'workOrders.remove': { accepted: () => byPartner(), refused: missing() },
      'workOrders.list (file)': {
        accepted: async () => desk.asPartner({ state: 'new' }, '工单'),
        refused: { input: () => ({ state: 'nonsense' }), code: 'INPUT_INVALID' },
      },
      'workOrders.all (file)': {
        accepted: async () => desk.asOperator({ state: 'new' }, '全部工单'),
        refused: { input: () => ({ state: 'nonsense' }), code: 'INPUT_INVALID' },
      },
    }
  },
}
