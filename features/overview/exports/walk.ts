import type { Office } from '#test/app.ts'
import { type FeatureWalk, own } from '#test/walk-types.ts'

const MERCHANTS = { path: '/merchants/export.xlsx', query: { status: 'normal' } }

/** An export that has ended, with its file. */
async function makeFinished(
  office: Office,
  of: { id: number; accountId: number },
  title: string,
): Promise<number> {
  const { rows } = await office.owner.query<{ id: string }>(
    `insert into export_jobs (agent_id, account_id, path, title, conditions, query, state, created_at, finished_at, expires_at)
       values ($1, $2, $3, $4, $4, '{}', 'done', now(), now(), now() + interval '1 hour') returning id`,
    [of.id, of.accountId, MERCHANTS.path, title],
  )
  const id = Number(rows[0]?.id)
  await office.app.services.storage.put(`exports/${id}.xlsx`, Buffer.from('bytes'))
  return id
}

export const walk: FeatureWalk = {
  sessionOnly: ['exports.start', 'exports.list', 'exports.cancel', 'exports.file (file)'],
  movesMoney: [],
  async scene({ office, a, cookieA }) {
    const queued = await office.as(cookieA).exports.start(MERCHANTS)
    return { exportQueued: queued.id, exportFinished: await makeFinished(office, a, '甲方专有') }
  },
  attempts: {
    'exports.start': [own(MERCHANTS)],
    'exports.list': [own()],
    'exports.cancel': [{ as: ({ extra }) => ({ id: extra.exportQueued }), expect: ['NOT_FOUND'] }],
    'exports.file (file)': [{ as: ({ extra }) => ({ id: extra.exportFinished }), expect: ['NOT_FOUND'] }],
  },
  scoped: [],
  changes: desk => ({
    'exports.start': {
      accepted: async () => desk.asPartner(MERCHANTS, '商户'),
      refused: { input: () => ({ path: '/nothing.xlsx', query: {} }), code: 'EXPORT_UNKNOWN' },
    },
    'exports.cancel': {
      accepted: async () => {
        const { rows } = await desk.mine().exports.list({})
        for (const row of rows) if (row.state === 'queued') await desk.mine().exports.cancel({ id: row.id })
        const { id } = await desk.mine().exports.start(MERCHANTS)
        return desk.asPartner({ id }, `商户 (${id})`)
      },
      refused: { input: () => ({ id: 99_999_999 }), code: 'NOT_FOUND' },
    },
    'exports.file (file)': {
      accepted: async () => {
        const id = await makeFinished(desk.office, desk.partner, '商户')
        return desk.asPartner({ id }, '导出文件')
      },
      refused: { input: () => ({ id: 99_999_999 }), code: 'NOT_FOUND' },
    },
  }),
}
