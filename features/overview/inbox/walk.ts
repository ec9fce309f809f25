import { randomUUID } from 'node:crypto'
import type { Office } from '#test/app.ts'
import { type Attempt, type Desk, type FeatureWalk, own, type Prepared } from '#test/walk-types.ts'

/** A paper of the shop that ends soon. */
async function endingPaper(office: Office, merchantId: number): Promise<number> {
  const { rows } = await office.owner.query<{ id: string }>(
    `insert into documents (agent_id, merchant_id, kind, sha256, state, expires_on, created_by, created_by_name, created_at)
     select agent_id, id, 'permit', $2, 'current', shanghai_day(now()) + 5, 0, '王小明', now() from merchants where id = $1 returning id`,
    [merchantId, randomUUID()],
  )
  return Number(rows[0]?.id)
}

const soon = () => new Date(Date.now() + 3_600_000).toISOString()
const onTheirs = (more: object): Attempt => ({
  as: ({ extra }) => ({ items: [{ source: 'documents.ending', id: extra.endingPaper }], ...more }),
  expect: ['ITEM_GONE'],
})

async function onPaper(desk: Desk, more: object): Promise<Prepared> {
  const prepared = await desk.onShop()
  const id = await endingPaper(desk.office, Number(prepared.input.id))
  return {
    ...prepared,
    input: { items: [{ source: 'documents.ending', id }], ...more },
    subject: '证件到期「行业许可证快到期」',
  }
}

const UNKNOWN = [{ source: 'documents.ending', id: 99_999_999 }]

export const walk: FeatureWalk = {
  sessionOnly: ['inbox.list', 'inbox.decided', 'inbox.count', 'inbox.people', 'inbox.assign', 'inbox.snooze'],
  movesMoney: [],
  async scene({ office, a }) {
    // Of a shop that nothing in the walk disables where there is no wall.
    return { endingPaper: await endingPaper(office, a.shops[2] as number) }
  },
  attempts: {
    // What is the agency's and no shop's is seen by whoever sees its own shops alone, as on its own page.
    'inbox.list': [own({ kind: '证件到期' })],
    'inbox.decided': [own()],
    'inbox.count': [own()],
    'inbox.people': [own({ sources: 'documents.ending' })],
    'inbox.assign': [onTheirs({ accountId: null })],
    'inbox.snooze': [onTheirs({ until: soon() })],
  },
  scoped: ['inbox.list', 'inbox.decided'],
  reads: () => ({ 'inbox.people': async () => ({ sources: 'approvals.signature' }) }),
  changes: desk => ({
    'inbox.assign': {
      accepted: () => onPaper(desk, { accountId: desk.partner.accountId }),
      refused: { input: () => ({ items: UNKNOWN, accountId: null }), code: 'ITEM_GONE' },
    },
    'inbox.snooze': {
      accepted: () => onPaper(desk, { until: soon() }),
      refused: { input: () => ({ items: UNKNOWN, until: soon() }), code: 'ITEM_GONE' },
    },
  }),
}
