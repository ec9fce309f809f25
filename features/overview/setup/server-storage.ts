// Whether files can be kept: tried by the program itself, since nothing outside is called while a page is read.
import { randomUUID } from 'node:crypto'
import { eq } from 'drizzle-orm'
import type { Services, SetupStep } from '#server/ctx.ts'
import { wholeOf } from '#server/storage/storage.ts'
import { actAsSystem } from '#server/system.ts'
import { storageProblem } from './rules.ts'
import { serviceChecks } from './tables.ts'

export const CHECK_EVERY_MS = 5 * 60_000
const STORAGE = 'storage'

/** Writes, reads and deletes a small file; what came of it is kept. Answers that nothing more waits. */
export async function checkStorage(services: Services): Promise<boolean> {
  const problem = await tryStorage(services)
  await actAsSystem(services, 'setup checks', async ({ db, now }) => {
    const outcome = { problem, checkedAt: now.toISOString() }
    await db
      .insert(serviceChecks)
      .values({ service: STORAGE, ...outcome })
      .onConflictDoUpdate({ target: serviceChecks.service, set: outcome })
  })
  return false
}

/** Empty: it works. */
async function tryStorage({ storage }: Services): Promise<string> {
  const written = randomUUID()
  const key = `files/setup/${written}`
  try {
    await storage.put(key, Buffer.from(written))
    const read = await wholeOf(storage, key)
    await storage.delete(key)
    return String(read) === written ? '' : '写入的文件读不回来'
  } catch (error) {
    return storageProblem(error)
  }
}

export const storageStep: SetupStep = {
  key: 'setup.storage',
  label: '文件存储',
  for: 'operator',
  permission: 'partners.manage',
  order: 70,
  path: null,
  async read(ctx) {
    const [last] = await ctx.db.select().from(serviceChecks).where(eq(serviceChecks.service, STORAGE))
    const { bucket } = ctx.services.env
    if (!last) return { state: 'open', words: '正在检查能否写入和读取，请稍候刷新。' }
    const home = bucket ? `存储桶 ${bucket.name}` : '本机的数据文件夹'
    if (last.problem === '') return { state: 'done', words: `图片和证件保存在${home}，读写正常` }
    return {
      state: 'broken',
      words: `${home}不能保存文件：${last.problem}。上传的图片和证件会失败，请在服务器上处理，五分钟内自动复查。`,
      settings: bucket
        ? [
            {
              name: 'STORAGE_S3_ENDPOINT',
              meaning: '存储服务的地址，连同存储桶、密钥一起核对',
              example: bucket.endpoint,
            },
          ]
        : [{ name: 'DATA_DIR', meaning: '本机可写的文件夹', example: '/var/lib/partner-office' }],
    }
  },
}
