// Ten thousand papers of one shop: listed page by page, and packed into one archive as it is sent, with how much memory the program takes
// meanwhile. npm run bench -- papers [count]; a database and a folder of its own under DATA_DIR.
import { createHash } from 'node:crypto'
import type { AddressInfo } from 'node:net'
import sharp from 'sharp'
import { DEMO_AGENTS } from '#features/office/access/demo.ts'
import { writeBytes } from '#server/storage/file-bytes.ts'
import { inOwnOffice, type OwnOffice, wanted } from './office.ts'

const PAPERS = 10_000
const PICTURE = { width: 640, height: 400 } as const
const WRITERS = 16
const PAGE = 100
const LOOK_MS = 100
const MIB = 1_048_576
/** What the second half of the work may take beyond the first: what it begins with (the library of pictures) is there by then. */
const GROWTH_MIB = 32

export function measurePapers(): Promise<void> {
  return inOwnOffice('papers', async office => {
    const count = wanted(PAPERS)
    const shop = await fill(office, count)
    const cookie = await office.logIn('20001')
    const listing = await watched(() => listAll(office, { shop, cookie, count }))
    console.log(`${count} papers listed: ${said(listing)}`)
    await office.app.http.listen({ port: 0, host: '127.0.0.1' })
    const packing = await watched(() => take(office, { shop, cookie }))
    const { files, bytes } = packing.answer
    console.log(`${files} papers in one archive of ${(bytes / MIB).toFixed(0)} MiB: ${said(packing)}`)
    if (files !== count) throw new Error(`${files} of ${count} papers are in the archive`)
    const grown = Math.max(listing.grown, packing.grown)
    if (grown > GROWTH_MIB) throw new Error(`memory grew by ${grown.toFixed(0)} MiB in the second half`)
  })
}

/** Papers of the first agent's first shop, each with a sealed picture of its own; answers the shop. */
async function fill({ app, owner }: OwnOffice, count: number): Promise<number> {
  const { rows } = await owner.query<{ id: string }>(
    `select id from merchants where agent_id = $1 and status = 'normal' order by id limit 1`,
    [DEMO_AGENTS.first],
  )
  const shop = Number(rows[0]?.id)
  const noise = { type: 'gaussian', mean: 128, sigma: 24 } as const
  const bytes = await sharp({ create: { ...PICTURE, channels: 3, background: '#888', noise } })
    .webp({ quality: 82 })
    .toBuffer()
  let made = 0
  const write = async () => {
    while (made < count) {
      made += 1
      const sha256 = createHash('sha256').update(String(made)).digest('hex')
      const { id, sealedKey } = await writeBytes(app.services, bytes, { sealed: true })
      await owner.query(
        `with kept as (insert into files (id, agent_id, purpose, mime, width, height, byte_size, sealed_key, sha256, created_by, created_at)
           values ($1, $2, 'shopDocument', 'image/webp', ${PICTURE.width}, ${PICTURE.height}, $3, $4, $5, 0, now()) returning id)
         insert into documents (agent_id, merchant_id, kind, file_id, sha256, state, created_by, created_by_name, created_at, expires_on)
         select $2, $6, 'other', id, $5, 'current', 0, '王小明', now(), current_date + $7::int from kept`,
        [id, DEMO_AGENTS.first, bytes.length, sealedKey, sha256, shop, made % 700],
      )
    }
  }
  await Promise.all(Array.from({ length: WRITERS }, write))
  await owner.query('vacuum analyze documents')
  return shop
}

type Asked = { shop: number; cookie: string }

async function listAll(
  office: OwnOffice,
  { shop, cookie, count }: Asked & { count: number },
): Promise<number> {
  let seen = 0
  for (let page = 1; page <= Math.ceil(count / PAGE); page++) {
    const body = await office.ask(
      `/api/documents?search=${shop}&kind=other&page=${page}&size=${PAGE}`,
      cookie,
    )
    seen += (JSON.parse(body) as { rows: unknown[] }).rows.length
  }
  if (seen < count) throw new Error(`${seen} of ${count} papers are listed`)
  return seen
}

/** Reads the archive as it comes, and keeps none of it; its end says how many files it has. */
async function take({ app }: OwnOffice, { shop, cookie }: Asked): Promise<{ files: number; bytes: number }> {
  const { port } = app.http.server.address() as AddressInfo
  const url = `http://127.0.0.1:${port}/api/documents/shop/${shop}/zip?purpose=support`
  const answer = await fetch(url, { headers: { cookie } })
  if (!answer.ok || !answer.body) throw new Error(`${answer.status} ${await answer.text()}`)
  let bytes = 0
  let end = Buffer.of()
  for await (const part of answer.body) {
    bytes += part.length
    end = Buffer.concat([end, part]).subarray(-22)
  }
  return { files: end.readUInt16LE(8), bytes }
}

type Watched<T> = { answer: T; seconds: number; before: number; half: number; peak: number; grown: number }

/** MiB of the whole process: before, at the most in the first half of the time, and at the most. */
async function watched<T>(work: () => Promise<T>): Promise<Watched<T>> {
  const resident = () => process.memoryUsage.rss() / MIB
  const before = resident()
  const seen = [before]
  const timer = setInterval(() => seen.push(resident()), LOOK_MS)
  const startedMs = performance.now()
  try {
    const answer = await work()
    const seconds = (performance.now() - startedMs) / 1_000
    const [half, peak] = [Math.max(...seen.slice(0, Math.ceil(seen.length / 2))), Math.max(...seen)]
    return { answer, seconds, before, half, peak, grown: peak - half }
  } finally {
    clearInterval(timer)
  }
}

const said = ({ seconds, before, half, peak }: Watched<unknown>) =>
  `${seconds.toFixed(1)} s, memory ${before.toFixed(0)} MiB before, at most ${half.toFixed(0)} MiB by half, ${peak.toFixed(0)} MiB at the end`
