// Ten thousand papers of one shop: listed page by page, and packed into one archive as it is sent; a twentieth as many photographs of payment
// applications, all of one shop in one archive and by application. With how much memory the program takes meanwhile.
// npm run bench -- papers [count]; a database and a folder of its own under DATA_DIR.
import { createHash } from 'node:crypto'
import type { AddressInfo } from 'node:net'
import { drizzle } from 'drizzle-orm/node-postgres'
import sharp from 'sharp'
import { applicationRow } from '#features/acquiring/payment-applications/rows.ts'
import { papersFor } from '#features/acquiring/payment-applications/rules.ts'
import { paymentApplications } from '#features/acquiring/payment-applications/tables.ts'
import { DEMO_AGENTS } from '#features/office/access/demo.ts'
import { writeBytes } from '#server/storage/file-bytes.ts'
import { inOwnOffice, type OwnOffice, wanted } from './office.ts'

const PAPERS = 10_000
const PICTURE = { width: 640, height: 400 } as const
/** As phones take them, and as they are kept. */
const PHOTOGRAPH = { width: 2_000, height: 1_500 } as const
const WRITERS = 16
const PAGE = 100
const LOOK_MS = 100
const MIB = 1_048_576
const photographs = () => Math.max(100, Math.ceil(wanted(PAPERS) / 20))
/** What the second half of the work may take beyond the first: what it begins with (the library of pictures) is there by then. */
const GROWTH_MIB = 32

export function measurePapers(): Promise<void> {
  return inOwnOffice('papers', measureIn, { isNew: true })
}

async function measureIn(office: OwnOffice): Promise<void> {
  const count = wanted(PAPERS)
  const shop = await fill(office, count)
  const cookie = await office.logIn('20001')
  const listing = await watched(() => listAll(office, { shop, cookie, count }))
  console.log(`${count} papers listed: ${said(listing)}`)
  await office.app.http.listen({ port: 0, host: '127.0.0.1' })
  const path = `documents/shop/${shop}/zip?purpose=support`
  const packing = await watched(() => take(office, { path, cookie }))
  const { files, bytes } = packing.answer
  console.log(`${files} papers in one archive of ${(bytes / MIB).toFixed(0)} MiB: ${said(packing)}`)
  if (files !== count) throw new Error(`${files} of ${count} papers are in the archive`)
  const grown = Math.max(listing.grown, packing.grown)
  refuseGrowth(grown)
  await measureApplications(office, cookie)
}

function refuseGrowth(grown: number): void {
  if (grown > GROWTH_MIB) throw new Error(`memory grew by ${grown.toFixed(0)} MiB in the second half`)
}

/** The papers of a shop with so many photographs as one archive, and those of the applications that they were handed in with. */
async function measureApplications(office: OwnOffice, cookie: string): Promise<void> {
  const { shop, applications } = await apply(office)
  const whole = await watched(() =>
    take(office, { path: `documents/shop/${shop}/zip?purpose=support`, cookie }),
  )
  const { files, bytes } = whole.answer
  console.log(`${files} photographs in one archive of ${(bytes / MIB).toFixed(0)} MiB: ${said(whole)}`)
  if (files < photographs()) throw new Error(`${files} of ${photographs()} photographs are in the archive`)
  const each = await watched(async () => {
    let packed = 0
    for (const id of applications)
      packed += (await take(office, { path: `payment-applications/${id}/zip`, cookie })).files
    return packed
  })
  console.log(
    `${each.answer} photographs in the archives of ${applications.length} applications: ${said(each)}`,
  )
  if (each.answer < photographs())
    throw new Error(`${each.answer} of ${photographs()} photographs are in archives`)
  refuseGrowth(Math.max(whole.grown, each.grown))
}

/** Applications of one shop that were accepted one after the other, with all their photographs. */
async function apply(office: OwnOffice): Promise<{ shop: number; applications: number[] }> {
  const { rows } = await office.owner.query<{ id: string }>(
    `select id from merchants where agent_id = $1 and status = 'normal' order by id desc limit 1`,
    [DEMO_AGENTS.first],
  )
  const shop = Number(rows[0]?.id)
  const names = papersFor('corporate')
  const wantedApplications = Math.ceil(photographs() / names.length)
  const ids = await addPapers(office, { shop, count: wantedApplications * names.length, picture: PHOTOGRAPH })
  const at = new Date().toISOString()
  const made = await drizzle(office.owner)
    .insert(paymentApplications)
    .values(
      Array.from({ length: wantedApplications }, (_, n) =>
        applicationRow({
          ...{ agentId: DEMO_AGENTS.first, merchantId: shop, state: 'approved', reviewState: 'accepted' },
          ...{ savedAt: at, submittedAt: at, handledAt: at, reviewedAt: at },
          ...Object.fromEntries(names.map((name, of) => [name, ids[n * names.length + of]])),
        }),
      ),
    )
    .returning({ id: paymentApplications.id })
  return { shop, applications: made.map(({ id }) => id) }
}

/** Papers of the first agent's first shop, each with a sealed picture of its own; answers the shop. */
async function fill(office: OwnOffice, count: number): Promise<number> {
  const { owner } = office
  const { rows } = await owner.query<{ id: string }>(
    `select id from merchants where agent_id = $1 and status = 'normal' order by id limit 1`,
    [DEMO_AGENTS.first],
  )
  const shop = Number(rows[0]?.id)
  await addPapers(office, { shop, count, picture: PICTURE })
  await owner.query('vacuum analyze documents')
  return shop
}

type Added = { shop: number; count: number; picture: { width: number; height: number } }

/** Answers their numbers. */
async function addPapers({ app, owner }: OwnOffice, { shop, count, picture }: Added): Promise<number[]> {
  const noise = { type: 'gaussian', mean: 128, sigma: 24 } as const
  const bytes = await sharp({ create: { ...picture, channels: 3, background: '#888', noise } })
    .webp({ quality: 82 })
    .toBuffer()
  const files: Awaited<ReturnType<typeof writeBytes>>[] = []
  let begun = 0
  const write = async () => {
    while (begun++ < count) files.push(await writeBytes(app.services, bytes, { sealed: true }))
  }
  await Promise.all(Array.from({ length: WRITERS }, write))
  const ids: number[] = []
  for (const [at, { id, sealedKey }] of files.entries()) {
    const sha256 = createHash('sha256').update(`${shop} ${at}`).digest('hex')
    const { rows } = await owner.query<{ id: string }>(
      `with kept as (insert into files (id, agent_id, purpose, mime, width, height, byte_size, sealed_key, sha256, created_by, created_at)
         values ($1, $2, 'shopDocument', 'image/webp', ${picture.width}, ${picture.height}, $3, $4, $5, 0, now()) returning id)
       insert into documents (agent_id, merchant_id, kind, file_id, sha256, state, created_by, created_by_name, created_at, expires_on)
       select $2, $6, 'other', id, $5, 'current', 0, '王小明', now(), current_date + $7::int from kept returning id`,
      [id, DEMO_AGENTS.first, bytes.length, sealedKey, sha256, shop, 1 + (at % 700)],
    )
    ids.push(Number(rows[0]?.id))
  }
  return ids
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
async function take(
  { app }: OwnOffice,
  { path, cookie }: { path: string; cookie: string },
): Promise<{ files: number; bytes: number }> {
  const { port } = app.http.server.address() as AddressInfo
  const url = `http://127.0.0.1:${port}/api/${path}`
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
