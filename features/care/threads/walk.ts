import { drizzle } from 'drizzle-orm/node-postgres'
import { writeBytes } from '#server/storage/file-bytes.ts'
import { files } from '#server/tables.ts'
import type { Office } from '#test/app.ts'
import { makeMerchant } from '#test/make.ts'
import { type Attempt, type FeatureWalk, MARK, own, PIXEL, type PosScene, search } from '#test/walk-types.ts'
import { messageRow, threadRow } from './rows.ts'
import { THREAD_PICTURE } from './rules.ts'
import { threadMessages, threadPictures, threads } from './tables.ts'

type Given = Omit<Parameters<typeof threadRow>[0], 'createdAt'> & { createdAt?: string }

/** A thread with what the shop said first, as it came through the door. */
export async function makeThread(office: Office, given: Given): Promise<number> {
  const db = drizzle(office.owner)
  const createdAt = given.createdAt ?? new Date().toISOString()
  const [made] = await db
    .insert(threads)
    .values(threadRow({ ...given, createdAt }))
    .returning()
  const { id, agentId, merchantId, title } = made as typeof threads.$inferSelect
  await db
    .insert(threadMessages)
    .values(messageRow({ agentId, merchantId, threadId: id, text: title, createdAt }))
  return id
}

const COLUMNS = { shopName: MARK, title: MARK } as const
/** What is made for many walks is not counted as of today. */
const YESTERDAY = new Date(Date.now() - 86_400_000).toISOString()
const ofA = async ({ office, agentId, shop }: PosScene) =>
  makeThread(office, { agentId, merchantId: shop.id, ...COLUMNS, createdAt: YESTERDAY })

/** One that asks to be rated. */
async function ratedOfA(scene: PosScene): Promise<{ id: number; messageId: number }> {
  const { office, agentId, shop } = scene
  const id = await ofA(scene)
  const [message] = await drizzle(office.owner)
    .insert(threadMessages)
    .values(
      messageRow({
        ...{ agentId, merchantId: shop.id, threadId: id, side: 'system', rates: true },
        createdAt: new Date().toISOString(),
      }),
    )
    .returning({ id: threadMessages.id })
  return { id, messageId: message?.id as number }
}

async function pictureOfA(scene: PosScene): Promise<string> {
  const { office, agentId, shop } = scene
  const id = await ofA(scene)
  const db = drizzle(office.owner)
  const bytes = Buffer.from(PIXEL, 'base64')
  const { id: fileId } = await writeBytes(office.app.services, bytes)
  await db.insert(files).values({
    ...{ id: fileId, agentId, purpose: THREAD_PICTURE, mime: 'image/webp', width: 1, height: 1 },
    ...{ byteSize: bytes.length, createdBy: 0, createdAt: new Date().toISOString() },
  })
  const { rows } = await office.owner.query('select id from thread_messages where thread_id = $1', [id])
  await db.insert(threadPictures).values({
    ...{ messageId: Number(rows[0].id), position: 0, agentId, merchantId: shop.id, threadId: id, fileId },
  })
  return fileId
}

const theirs = (more: Record<string, unknown> = {}): Attempt => ({
  as: ({ extra }) => ({ id: extra.thread, ...more }),
  expect: ['NOT_FOUND'],
})
const theirClosed = (more: Record<string, unknown>): Attempt => ({
  as: ({ extra }) => ({ id: extra.closedThread, ...more }),
  expect: ['NOT_FOUND'],
})
const SAID = { text: '请重启后再试' }

export const walk: FeatureWalk = {
  ofAgency: ['threads.people'],
  sessionOnly: [],
  movesMoney: [],
  async scene({ office, a }) {
    const shop = { agentId: a.id, merchantId: a.shops[0] as number, ...COLUMNS }
    return {
      thread: await makeThread(office, { ...shop, desk: 'vendor' }),
      closedThread: await makeThread(office, { ...shop, state: 'closed' }),
    }
  },
  attempts: {
    'threads.list': [own(), search(() => MARK), search(({ a }) => a.shops[0])],
    'threads.all': [own(), search(() => MARK)],
    'threads.all (file)': [own()],
    'threads.list (file)': [own()],
    'threads.details': [theirs()],
    'threads.presence': [theirs()],
    'threads.answers': [own()],
    'threads.people': [own()],
    'threads.figures': [own()],
    'threads.reply': [theirs({ ...SAID, revision: 0 })],
    'threads.note': [theirs(SAID)],
    'threads.close': [theirs()],
    'threads.reopen': [theirClosed({ reason: '问题又出现' })],
    'threads.assign': [theirs({ accountId: null })],
    'threads.passOn': [theirs({ to: 'agent' })],
    'threads.read': [theirs()],
    'threads.here': [theirs()],
  },
  scoped: [
    ...['threads.list', 'threads.all', 'threads.list (file)', 'threads.all (file)', 'threads.details'],
    ...['threads.presence', 'threads.reply', 'threads.note', 'threads.close', 'threads.reopen'],
    ...['threads.assign', 'threads.passOn', 'threads.read', 'threads.here'],
  ],
  pos: {
    'threads.ofShop': { as: ({ shop }) => ({ id: shop.id }), expect: ['NOT_FOUND'] },
    'threads.thread': { as: async scene => ({ id: await ofA(scene) }), expect: ['NOT_FOUND'] },
    'threads.picture': { as: async scene => ({ id: await pictureOfA(scene) }), expect: ['NOT_FOUND'] },
    'threads.keepPicture': { as: ({ shop }) => ({ id: shop.id, data: PIXEL }), expect: ['NOT_FOUND'] },
    'threads.file': { as: ({ shop }) => ({ id: shop.id, text: '收银台打不开' }), expect: ['NOT_FOUND'] },
    'threads.answer': {
      as: async scene => ({ id: await ofA(scene), text: '还是不行' }),
      expect: ['NOT_FOUND'],
    },
    'threads.rate': {
      as: async scene => ({
        ...(await ratedOfA(scene)),
        ...{ satisfaction: 'satisfied', resolution: 'resolved' },
      }),
      expect: ['NOT_FOUND'],
    },
    'threads.read': { as: async scene => ({ id: await ofA(scene), upTo: 1 }), expect: ['NOT_FOUND'] },
  },
  reads: desk => {
    const fresh = async () => {
      const merchantId = await makeMerchant(desk.office, desk.partner.id)
      return { id: await makeThread(desk.office, { agentId: desk.partner.id, merchantId, desk: 'vendor' }) }
    }
    return { 'threads.details': fresh, 'threads.presence': fresh }
  },
  changes: desk => {
    const fresh = async (more: Partial<Given> = {}, with_: Record<string, unknown> = {}) => {
      const merchantId = await makeMerchant(desk.office, desk.partner.id)
      const id = await makeThread(desk.office, { agentId: desk.partner.id, merchantId, ...more })
      return desk.asPartner({ id, ...with_ }, `测试店铺 的反馈 (${id})`)
    }
    const missing = { input: () => ({ id: 99_999_999 }), code: 'NOT_FOUND' }
    return {
      'threads.reply': {
        accepted: () => fresh({}, { ...SAID, revision: 0 }),
        refused: { input: () => ({ id: 1, text: ' ', revision: 0 }), code: 'CONTENT_REQUIRED' },
      },
      'threads.note': {
        accepted: () => fresh({}, SAID),
        refused: { input: () => ({ id: 1, text: ' ' }), code: 'CONTENT_REQUIRED' },
      },
      'threads.close': { accepted: () => fresh(), refused: missing },
      'threads.reopen': {
        accepted: () => fresh({ state: 'closed' }, { reason: '问题又出现' }),
        refused: { input: () => ({ id: 1, reason: ' ' }), code: 'REASON_REQUIRED' },
      },
      'threads.assign': {
        accepted: () => fresh({}, { accountId: desk.partner.accountId }),
        refused: { input: () => ({ id: 99_999_999, accountId: null }), code: 'NOT_FOUND' },
      },
      'threads.list (file)': {
        accepted: async () => desk.asPartner({ state: 'awaiting' }, '商户反馈'),
        refused: { input: () => ({ state: 'nonsense' }), code: 'INPUT_INVALID' },
      },
      'threads.all (file)': {
        accepted: async () => desk.asOperator({ state: 'awaiting' }, '客户反馈'),
        refused: { input: () => ({ state: 'nonsense' }), code: 'INPUT_INVALID' },
      },
      'threads.passOn': {
        accepted: () => fresh({}, { to: 'vendor' }),
        refused: { input: () => ({ id: 99_999_999, to: 'vendor' }), code: 'NOT_FOUND' },
      },
    }
  },
}
