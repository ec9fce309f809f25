import { drizzle } from 'drizzle-orm/node-postgres'
import sharp from 'sharp'
import { sha256Of, writeBytes } from '#server/storage/file-bytes.ts'
import { files } from '#server/tables.ts'
import type { Office } from '#test/app.ts'
import { type FeatureWalk, MARK } from '#test/walk-types.ts'
import { documentRow } from './rows.ts'
import { DOCUMENT_FILE } from './rules.ts'
import { documents } from './tables.ts'

export type Uploader = { id: number; accountId: number }

/** An upload for a paper, a picture of its own; answers its id and what its bytes are known by. */
export async function makeDocumentFile(
  office: Office,
  by: Uploader,
  purpose = DOCUMENT_FILE,
): Promise<{ id: string; sha256: string }> {
  const background = `#${Math.floor(Math.random() * 0x1000000)
    .toString(16)
    .padStart(6, '0')}`
  const bytes = await sharp({ create: { width: 320, height: 200, channels: 3, background } })
    .webp({ lossless: true })
    .toBuffer()
  const { id, sealedKey } = await writeBytes(office.app.services, bytes, { sealed: true })
  const sha256 = sha256Of(bytes)
  await drizzle(office.owner)
    .insert(files)
    .values({
      ...{ id, sha256, sealedKey, agentId: by.id, createdBy: by.accountId, purpose },
      ...{ mime: 'image/webp', width: 320, height: 200, byteSize: bytes.length },
      createdAt: new Date().toISOString(),
    })
  return { id, sha256 }
}

type Made = { by: Uploader; merchantId: number } & Partial<Parameters<typeof documentRow>[0]>

/** A paper as a shop's agent uploaded it; answers its id. */
export async function makeDocument(office: Office, { by, ...given }: Made): Promise<number> {
  const file = await makeDocumentFile(office, by)
  const row = documentRow({
    ...{ agentId: by.id, fileId: file.id, sha256: file.sha256, createdAt: new Date().toISOString() },
    ...given,
  })
  const [made] = await drizzle(office.owner).insert(documents).values(row).returning({ id: documents.id })
  return made?.id as number
}

/** One that is erased already; answers its id. */
export async function makeErased(office: Office, made: Made): Promise<number> {
  const id = await makeDocument(office, { kind: 'other', ...made })
  await office.owner.query(
    `update documents set state = 'erased', file_id = null, erased_at = now(), erased_by_name = '王小明', erase_reason = '不再需要',
       erased_file_id = file_id where id = $1`,
    [id],
  )
  return id
}

const NONE = ['NOT_FOUND']
const FILE = '00000000-0000-4000-8000-000000000000'

export const walk: FeatureWalk = {
  sessionOnly: [],
  movesMoney: [],
  async scene({ office, a }) {
    const merchantId = a.shops[0] as number
    return {
      document: await makeDocument(office, { by: a, merchantId, numberMasked: MARK }),
      erased: await makeErased(office, { by: a, merchantId }),
    }
  },
  attempts: {
    'documents.ofShop': [{ as: ({ a }) => ({ merchantId: a.shops[0] }), expect: NONE }],
    'documents.list': [
      { as: () => ({ state: 'all' }), expect: 'empty' },
      { as: ({ a }) => ({ state: 'all', search: String(a.shops[0]) }), expect: 'empty' },
    ],
    'documents.erase': [{ as: ({ extra }) => ({ id: extra.document, reason: '不再需要' }), expect: NONE }],
    'documents.zip (file)': [
      { as: ({ a }) => ({ merchantId: a.shops[0], purpose: 'support' }), expect: NONE },
    ],
    'documents.certificate (file)': [{ as: ({ extra }) => ({ id: extra.erased }), expect: NONE }],
    'documents.keep': [
      { as: ({ a }) => ({ merchantId: a.shops[0], kind: 'permit', fileId: FILE }), expect: NONE },
    ],
    'documents.setExpiry': [
      { as: ({ extra }) => ({ id: extra.document, expiresOn: '2030-01-01' }), expect: NONE },
    ],
    'documents.look (file)': [
      { as: ({ extra }) => ({ id: extra.document, purpose: 'support' }), expect: NONE },
    ],
    'documents.take (file)': [
      { as: ({ extra }) => ({ id: extra.document, purpose: 'support' }), expect: NONE },
    ],
  },
  scoped: [
    'documents.ofShop',
    'documents.list',
    'documents.keep',
    'documents.setExpiry',
    'documents.erase',
    'documents.zip (file)',
    'documents.certificate (file)',
  ],
  reads: desk => {
    const paper = async () => {
      const { input } = await desk.onShop()
      return makeDocument(desk.office, { by: desk.partner, merchantId: Number(input.id) })
    }
    return {
      'documents.ofShop': async () => ({ merchantId: (await desk.onShop()).input.id }),
      'documents.look (file)': async () => ({ id: await paper(), purpose: 'support' }),
      'documents.take (file)': async () => ({ id: await paper(), purpose: 'support' }),
      'documents.zip (file)': async () => {
        const merchantId = Number((await desk.onShop()).input.id)
        await makeDocument(desk.office, { by: desk.partner, merchantId })
        return { merchantId, purpose: 'support' }
      },
      'documents.certificate (file)': async () => {
        const merchantId = Number((await desk.onShop()).input.id)
        return { id: await makeErased(desk.office, { by: desk.partner, merchantId }) }
      },
    }
  },
  changes: desk => {
    const paper = async () => {
      const { input, subject } = await desk.onShop()
      const merchantId = Number(input.id)
      return { id: await makeDocument(desk.office, { by: desk.partner, merchantId }), subject }
    }
    const looked = (what: 'look' | 'take') => ({
      async accepted() {
        const { id, subject } = await paper()
        return desk.asPartner({ id, purpose: 'verification' }, subject)
      },
      refused: {
        input: () => ({ id: 99_999_999, purpose: what === 'look' ? 'support' : 'approval' }),
        code: 'NOT_FOUND',
      },
    })
    return {
      'documents.keep': {
        async accepted() {
          const { input, subject } = await desk.onShop()
          const { id } = await makeDocumentFile(desk.office, desk.partner)
          return desk.asPartner({ merchantId: input.id, kind: 'permit', fileId: id }, subject)
        },
        refused: {
          input: async () => ({ merchantId: (await desk.onShop()).input.id, kind: 'permit', fileId: FILE }),
          code: 'DOCUMENT_FILE_UNKNOWN',
        },
      },
      'documents.setExpiry': {
        async accepted() {
          const { id, subject } = await paper()
          return desk.asPartner({ id, expiresOn: '2031-05-01' }, subject)
        },
        refused: { input: () => ({ id: 99_999_999, expiresOn: null }), code: 'NOT_FOUND' },
      },
      'documents.erase': {
        async accepted() {
          const { id, subject } = await paper()
          return desk.asPartner({ id, reason: '重复上传' }, subject)
        },
        refused: {
          input: async () => ({ id: (await paper()).id, reason: ' ' }),
          code: 'ERASE_REASON_REQUIRED',
        },
      },
      'documents.zip (file)': {
        async accepted() {
          const { input, subject } = await desk.onShop()
          const merchantId = Number(input.id)
          await makeDocument(desk.office, { by: desk.partner, merchantId })
          return desk.asPartner({ merchantId, purpose: 'paymentApplication' }, subject)
        },
        refused: { input: () => ({ merchantId: 99_999_999, purpose: 'support' }), code: 'NOT_FOUND' },
      },
      'documents.certificate (file)': {
        async accepted() {
          const { input, subject } = await desk.onShop()
          const merchantId = Number(input.id)
          return desk.asPartner(
            { id: await makeErased(desk.office, { by: desk.partner, merchantId }) },
            subject,
          )
        },
        refused: { input: () => ({ id: 99_999_999 }), code: 'NOT_FOUND' },
      },
      'documents.look (file)': looked('look'),
      'documents.take (file)': looked('take'),
    }
  },
}
