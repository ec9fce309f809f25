import { randomBytes } from 'node:crypto'
import { Readable } from 'node:stream'
import { sealStream } from '#server/backup/seal-stream.ts'
import { checkpointKey } from '#server/checkpoints/key.ts'
import type { Office } from '#test/app.ts'
import { makeAgent } from '#test/make.ts'
import { type FeatureWalk, MARK } from '#test/walk-types.ts'
import type { AgencyExportState } from './rules.ts'
import { signedLine } from './server-certificate.ts'
import { archiveKey } from './server-shelf.ts'

/** One as it stands in some state, of an agency of its own. */
export async function makeAgencyExport(
  office: Office,
  state: AgencyExportState,
): Promise<{ id: number; agentId: number }> {
  const { id: agentId, accountId } = await makeAgent(office)
  const { rows } = await office.owner.query<{ id: string }>(
    `insert into agency_exports (agent_id, reason, state, created_by, created_by_name, created_at)
     values ($1, $2, $3, $4, '运营', now()) returning id`,
    [agentId, MARK, state, accountId],
  )
  return { id: Number(rows[0]?.id), agentId }
}

/** One that can be taken along, with its certificate. */
async function makeDone(office: Office): Promise<{ id: number; agentId: number }> {
  const { services } = office.app
  const { id, agentId } = await makeAgencyExport(office, 'done')
  const [key, name] = [randomBytes(32).toString('hex'), archiveKey(id, 1)]
  await services.storage.put(name, Readable.from([Buffer.from('bytes')]).pipe(sealStream(key, name)))
  const certificate = signedLine(
    {
      ...{ number: 'SJ1', agency: { id: agentId, name: '甲' }, by: '运营', reason: MARK, rows: 1, files: 0 },
      ...{ missing: 0, kinds: [], entries: 1, bytes: 5, sha256: '', inner: '' },
      ...{ snapshotAt: new Date().toISOString(), madeAt: new Date().toISOString() },
      form: 1,
    },
    checkpointKey(services.env),
  )
  await office.owner.query(
    `update agency_exports set attempts = 1, sealed_key = $2, certificate = $3, byte_size = 5, expires_at = now() + interval '1 day'
     where id = $1`,
    [id, services.secrets.encrypt(key), certificate],
  )
  return { id, agentId }
}

const NOT_FOUND = ['NOT_FOUND']
const UNKNOWN = { input: () => ({ id: 99_999_999 }), code: 'NOT_FOUND' }

/** Whoever hands data over sees all of them; nobody else holds the permission. */
export const walk: FeatureWalk = {
  // The vendor's.
  ofAgency: ['agencyExports'],
  sessionOnly: [],
  movesMoney: [],
  async scene({ office }) {
    return {
      agencyExport: (await makeDone(office)).id,
      agencyExportFailed: (await makeAgencyExport(office, 'failed')).id,
    }
  },
  attempts: {
    'agencyExports.preview': [{ as: ({ a }) => ({ agentId: a.id }), expect: NOT_FOUND }],
    'agencyExports.start': [{ as: ({ a }) => ({ agentId: a.id, reason: '试' }), expect: NOT_FOUND }],
    'agencyExports.list': [{ as: () => ({}), expect: 'empty' }],
    'agencyExports.retry': [{ as: ({ extra }) => ({ id: extra.agencyExportFailed }), expect: NOT_FOUND }],
    'agencyExports.file (file)': [{ as: ({ extra }) => ({ id: extra.agencyExport }), expect: NOT_FOUND }],
    'agencyExports.certificate (file)': [
      { as: ({ extra }) => ({ id: extra.agencyExport }), expect: NOT_FOUND },
    ],
  },
  scoped: ['agencyExports.list'],
  reads: desk => ({
    'agencyExports.preview': async () => ({ agentId: (await makeAgent(desk.office)).id }),
  }),
  changes: desk => {
    const taken = async () => {
      const { id, agentId } = await makeDone(desk.office)
      return desk.asOperator({ id }, `(${agentId})`)
    }
    return {
      'agencyExports.start': {
        async accepted() {
          const { id } = await makeAgent(desk.office)
          return desk.asOperator({ agentId: id, reason: '合作终止' }, `(${id})`)
        },
        refused: {
          input: async () => ({ agentId: (await makeAgent(desk.office)).id, reason: '' }),
          code: 'REASON_REQUIRED',
        },
      },
      'agencyExports.retry': {
        async accepted() {
          const { id, agentId } = await makeAgencyExport(desk.office, 'failed')
          return desk.asOperator({ id }, `(${agentId})`)
        },
        refused: {
          input: async () => ({ id: (await makeAgencyExport(desk.office, 'deleted')).id }),
          code: 'NOT_FAILED',
        },
      },
      'agencyExports.file (file)': { accepted: taken, refused: UNKNOWN },
      'agencyExports.certificate (file)': { accepted: taken, refused: UNKNOWN },
    }
  },
}
