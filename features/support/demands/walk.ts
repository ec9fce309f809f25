import { makeThread } from '#features/care/threads/walk.ts'
import type { Office } from '#test/app.ts'
import { makeMerchant } from '#test/make.ts'
import { makePaperFile } from '#test/make-papers.ts'
import { type Desk, type FeatureWalk, MARK, own, search } from '#test/walk-types.ts'
import { DEMAND_FILE } from './rules.ts'

let made = 0

/** A demand of the vendor's own, by its owner's hand: of a shop, with an event of its own. */
async function makeDemand(
  office: Office,
  { merchantId, ownerId, title = `需求${++made}` }: { merchantId: number; ownerId: number; title?: string },
): Promise<number> {
  const { rows } = await office.owner.query<{ id: string }>(
    `with made as (
       insert into demands (title, merchant_id, owner_id, priority, type, client, industry_id, status, oldest_asked_at, weight_rank,
         created_by, created_by_name, created_at)
       values ($1, $2, $3, 'major', 'bug', 'pcWeb', 2, 'feedbacked', now(), 0, $3, '测试', now()) returning id, merchant_id
     ), asked as (
       insert into demand_sources (demand_id, kind, merchant_id, asked_at, created_by_name)
       select id, 'shop', merchant_id, now(), '测试' from made
     )
     insert into demand_events (demand_id, text, created_by, created_by_name, created_at)
     select id, $1, $3, '测试', now() from made returning demand_id as id`,
    [title, merchantId, ownerId],
  )
  return Number(rows[0]?.id)
}

/** Demands are of no agent: staff see them all, and nobody else holds the permissions. */
export const walk: FeatureWalk = {
  sessionOnly: [],
  movesMoney: [],
  async scene({ office, a }) {
    const demand = await makeDemand(office, {
      merchantId: Number(a.shops[0]),
      ownerId: a.accountId,
      title: MARK,
    })
    const other = await makeDemand(office, {
      merchantId: Number(a.shops[0]),
      ownerId: a.accountId,
      title: MARK,
    })
    const { rows } = await office.owner.query<{ id: string }>(
      'select id from demand_sources where demand_id = $1',
      [demand],
    )
    return { demand, otherDemand: other, demandSource: Number(rows[0]?.id) }
  },
  attempts: {
    'demands.list': [{ as: () => ({}), expect: 'empty' }, search(() => MARK)],
    'demands.list (file)': [{ as: () => ({}), expect: 'empty' }, search(() => MARK)],
    'demands.counts': [own()],
    'demands.board': [own()],
    'demands.options': [own()],
    'demands.shop': [{ as: ({ a }) => ({ merchantId: a.shops[0] }), expect: 'own' }],
    'demands.feedback': [{ as: ({ extra }) => ({ id: extra.feedback }), expect: ['NOT_FOUND'] }],
    'demands.thread': [{ as: ({ extra }) => ({ id: extra.thread }), expect: ['NOT_FOUND'] }],
    'demands.copyPictures': [{ as: ({ extra }) => ({ id: extra.thread }), expect: ['NOT_FOUND'] }],
    'demands.find': [search(() => MARK)],
    'demands.details': [{ as: ({ extra }) => ({ id: extra.demand }), expect: ['NOT_FOUND'] }],
    'demands.save': [
      { as: ({ a }) => form(Number(a.shops[0]), a.accountId), expect: ['NOT_FOUND'] },
      {
        as: ({ a, extra }) => ({ ...form(Number(a.shops[0]), a.accountId), id: extra.demand, revision: 1 }),
        expect: ['NOT_FOUND'],
      },
    ],
    'demands.change': [
      { as: ({ extra }) => ({ ids: [extra.demand], status: 'online' }), expect: ['NOT_FOUND'] },
    ],
    'demands.remove': [{ as: ({ extra }) => ({ id: extra.demand }), expect: ['NOT_FOUND'] }],
    'demands.restore': [{ as: ({ extra }) => ({ id: extra.demand }), expect: ['NOT_FOUND'] }],
    'demands.events': [{ as: ({ extra }) => ({ id: extra.demand }), expect: ['NOT_FOUND'] }],
    'demands.comment': [{ as: ({ extra }) => ({ id: extra.demand, text: '试' }), expect: ['NOT_FOUND'] }],
    'demands.subscribe': [{ as: ({ extra }) => ({ id: extra.demand, on: true }), expect: ['NOT_FOUND'] }],
    'demands.merge': [
      { as: ({ extra }) => ({ id: extra.demand, intoId: extra.otherDemand }), expect: ['NOT_FOUND'] },
    ],
    'demands.unmerge': [{ as: ({ extra }) => ({ id: extra.demand }), expect: ['NOT_FOUND'] }],
    'demands.relate': [
      {
        as: ({ extra }) => ({ id: extra.demand, otherId: extra.otherDemand, kind: 'blocks' }),
        expect: ['NOT_FOUND'],
      },
    ],
    'demands.addSource': [
      { as: ({ a, extra }) => ({ id: extra.demand, merchantId: String(a.shops[1]) }), expect: ['NOT_FOUND'] },
      { as: ({ extra }) => ({ id: extra.demand, threadId: extra.thread }), expect: ['NOT_FOUND'] },
    ],
    'demands.removeSource': [
      { as: ({ extra }) => ({ id: extra.demand, sourceId: extra.demandSource }), expect: ['NOT_FOUND'] },
    ],
    'demands.addFile': [
      { as: ({ extra }) => ({ id: extra.demand, fileId: UNKNOWN_FILE, name: '试' }), expect: ['NOT_FOUND'] },
    ],
    'demands.removeFile': [{ as: ({ extra }) => ({ id: extra.demand, fileId: 1 }), expect: ['NOT_FOUND'] }],
    'demands.file (file)': [{ as: ({ extra }) => ({ id: extra.demand, fileId: 1 }), expect: ['NOT_FOUND'] }],
  },
  reads: desk => {
    const demand = async () =>
      makeDemand(desk.office, {
        merchantId: Number((await desk.onShop()).input.id),
        ownerId: desk.operator.accountId,
      })
    return {
      'demands.shop': async () => ({ merchantId: (await desk.onShop()).input.id }),
      'demands.feedback': async () => desk.mine().feedback.submit({ content: '希望支持批量导入' }),
      'demands.thread': async () => ({ id: await passedThread(desk) }),
      'demands.details': async () => ({ id: await demand() }),
      'demands.events': async () => ({ id: await demand() }),
      'demands.file (file)': async () => {
        const id = await demand()
        return { id, fileId: await attachFile(desk, id) }
      },
    }
  },
  scoped: ['demands.list', 'demands.list (file)', 'demands.details', 'demands.events', 'demands.find'],
  changes: desk => {
    const merchantId = async () => Number((await desk.onShop()).input.id)
    const demand = async () =>
      makeDemand(desk.office, { merchantId: await merchantId(), ownerId: desk.operator.accountId })
    const unknown = (more: object = {}) => ({ input: () => ({ id: 99_999_999, ...more }), code: 'NOT_FOUND' })
    return {
      'demands.save': {
        accepted: async () =>
          desk.asOperator(
            { ...form(await merchantId(), desk.operator.accountId), title: '走查需求' },
            '走查需求 (',
          ),
        refused: { input: () => ({ ...form(1, 1), title: ' ' }), code: 'TITLE_REQUIRED' },
      },
      'demands.change': {
        async accepted() {
          const id = await demand()
          return desk.asOperator({ ids: [id], status: 'developing' }, `(${id})`)
        },
        refused: { input: () => ({ ids: [99_999_999], status: 'online' }), code: 'NOT_FOUND' },
      },
      'demands.remove': {
        async accepted() {
          const id = await demand()
          return desk.asOperator({ id }, `(${id})`)
        },
        refused: unknown(),
      },
      'demands.restore': {
        async accepted() {
          const id = await demand()
          await desk.office.owner.query('update demands set deleted_at = now() where id = $1', [id])
          return desk.asOperator({ id }, `(${id})`)
        },
        refused: unknown(),
      },
      'demands.comment': {
        async accepted() {
          const id = await demand()
          return desk.asOperator({ id, text: '已联系商户' }, `(${id})`)
        },
        refused: unknown({ text: '已联系商户' }),
      },
      'demands.subscribe': {
        async accepted() {
          const id = await demand()
          return desk.asOperator({ id, on: true }, `(${id})`)
        },
        refused: unknown({ on: true }),
      },
      'demands.merge': {
        async accepted() {
          const [id, intoId] = [await demand(), await demand()]
          return desk.asOperator({ id, intoId }, `(${id})`)
        },
        refused: unknown({ intoId: 1 }),
      },
      'demands.unmerge': {
        async accepted() {
          const [id, intoId] = [await demand(), await demand()]
          await desk.office.owner.query(
            `update demands set merged_into_id = $2, merged_at = now(),
               merge_undo = '{"sources":[],"asked":[],"followers":[],"relations":{"left":[],"came":[]}}' where id = $1`,
            [id, intoId],
          )
          return desk.asOperator({ id }, `(${id})`)
        },
        refused: unknown(),
      },
      'demands.relate': {
        async accepted() {
          const [id, otherId] = [await demand(), await demand()]
          return desk.asOperator({ id, otherId, kind: 'blocks' }, `(${id})`)
        },
        refused: unknown({ otherId: 1, kind: 'blocks' }),
      },
      'demands.addSource': {
        async accepted() {
          const id = await demand()
          return desk.asOperator({ id, merchantId: String(await merchantId()) }, `(${id})`)
        },
        refused: unknown({ merchantId: '12345678' }),
      },
      'demands.removeSource': {
        async accepted() {
          const id = await demand()
          const { rows } = await desk.office.owner.query<{ id: string }>(
            `insert into demand_sources (demand_id, kind, merchant_id, asked_at, created_by_name) values ($1, 'shop', $2, now(), '测试') returning id`,
            [id, await merchantId()],
          )
          return desk.asOperator({ id, sourceId: Number(rows[0]?.id) }, `(${id})`)
        },
        refused: unknown({ sourceId: 1 }),
      },
      'demands.addFile': {
        async accepted() {
          const id = await demand()
          const fileId = await makeFile(desk.office, desk.operator)
          return desk.asOperator({ id, fileId, name: '截图' }, `(${id})`)
        },
        refused: unknown({ fileId: UNKNOWN_FILE, name: '截图' }),
      },
      'demands.removeFile': {
        async accepted() {
          const id = await demand()
          return desk.asOperator({ id, fileId: await attachFile(desk, id) }, `(${id})`)
        },
        refused: unknown({ fileId: 1 }),
      },
      'demands.file (file)': {
        async accepted() {
          const id = await demand()
          return desk.asOperator({ id, fileId: await attachFile(desk, id) }, '需求附件')
        },
        refused: unknown({ fileId: 1 }),
      },
      'demands.list (file)': {
        accepted: async () => desk.asOperator({}, '需求'),
        refused: { input: () => ({ sort: '价格' }), code: 'INPUT_INVALID' },
      },
    }
  },
}

const UNKNOWN_FILE = '00000000-0000-4000-8000-000000000000'

function form(merchantId: number, ownerId: number) {
  return {
    title: '打印小票时卡住',
    path: '收银/结账',
    merchantId: String(merchantId).padStart(8, '0'),
    ownerId,
    priority: 'major',
    type: 'bug',
    client: 'pcWeb',
    industryId: 2,
    deadline: null,
    description: '<p>偶尔出现</p>',
  }
}

/** A thread that its agent has passed on. */
async function passedThread({ office, partner }: Pick<Desk, 'office' | 'partner'>): Promise<number> {
  const merchantId = await makeMerchant(office, partner.id)
  return makeThread(office, { agentId: partner.id, merchantId, desk: 'vendor' })
}

/** A picture of its own attached to a demand. */
async function attachFile(
  { office, operator }: Pick<Desk, 'office' | 'operator'>,
  demandId: number,
): Promise<number> {
  const { rows } = await office.owner.query<{ id: string }>(
    `insert into demand_files (demand_id, file_id, name, is_pdf, created_by_name, created_at) values ($1, $2, '截图', true, '测试', now()) returning id`,
    [demandId, await makeFile(office, operator)],
  )
  return Number(rows[0]?.id)
}

const makeFile = (office: Office, uploader: { id: number; accountId: number }) =>
  makePaperFile(office, uploader, DEMAND_FILE)
