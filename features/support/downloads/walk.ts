import { writeBytes } from '#server/storage/file-bytes.ts'
import type { Office } from '#test/app.ts'
import { type FeatureWalk, own } from '#test/walk-types.ts'
import { DOWNLOAD_FILE, FILE_TYPE } from './rules.ts'

let made = 0

/** A file that is offered, with bytes of its own; answers its id. */
async function makeDownload(office: Office, text = `文件${++made}`): Promise<number> {
  const bytes = Buffer.from(text)
  const { id: fileId } = await writeBytes(office.app.services, bytes)
  await office.owner.query(
    `insert into files (id, agent_id, purpose, mime, width, height, byte_size, created_by, created_at)
     values ($1, 90, $2, $3, 0, 0, $4, 1, now())`,
    [fileId, DOWNLOAD_FILE, FILE_TYPE, bytes.length],
  )
  const { rows } = await office.owner.query<{ id: string }>(
    `insert into download_files (system, name, version, file_id, file_name, byte_size, sha256, created_by_name, created_at)
     values ('windows', $1, '1.0', $2, '客户端.txt', $3, '', '测试', now()) returning id`,
    [`走查${++made}`, fileId, bytes.length],
  )
  return Number(rows[0]?.id)
}

const form = () => ({
  ...{ system: 'ios', name: `走查${++made}`, version: '1.0', notes: '', fileId: null, fileName: '' },
  link: 'https://example.com/app',
})

/** Files are the vendor's and offered to all. */
export const walk: FeatureWalk = {
  sessionOnly: ['downloads.shown', 'downloads.file (file)'],
  movesMoney: [],
  scene: async ({ office }) => ({ download: await makeDownload(office) }),
  attempts: {
    'downloads.shown': [own()],
    'downloads.file (file)': [{ as: ({ extra }) => ({ id: extra.download }), expect: 'own' }],
    'downloads.list': [{ as: () => ({}), expect: ['FORBIDDEN'] }],
    'downloads.save': [{ as: form, expect: ['FORBIDDEN'] }],
    'downloads.withdraw': [{ as: ({ extra }) => ({ id: extra.download, on: true }), expect: ['FORBIDDEN'] }],
  },
  scoped: [],
  reads: desk => ({ 'downloads.file (file)': async () => ({ id: await makeDownload(desk.office) }) }),
  changes: desk => ({
    'downloads.save': {
      async accepted() {
        const input = form()
        return desk.asOperator(input, `${input.name} 1.0 (`)
      },
      refused: { input: () => ({ ...form(), name: ' ' }), code: 'NAME_REQUIRED' },
    },
    'downloads.withdraw': {
      async accepted() {
        const id = await makeDownload(desk.office)
        return desk.asOperator({ id, on: true }, `(${id})`)
      },
      refused: { input: () => ({ id: 99_999_999, on: true }), code: 'NOT_FOUND' },
    },
    'downloads.file (file)': {
      async accepted() {
        const id = await makeDownload(desk.office)
        return desk.asPartner({ id }, `(${id})`)
      },
      refused: { input: () => ({ id: 99_999_999 }), code: 'NOT_FOUND' },
    },
  }),
}
