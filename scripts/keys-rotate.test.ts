// npm run keys:rotate as a program: killed in the middle and run again, and beside an office that goes on writing what is encrypted.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import test, { after, before, beforeEach } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { drizzle } from 'drizzle-orm/node-postgres'
import pg from 'pg'
import { agentRow } from '#features/office/agents/rows.ts'
import { agents } from '#features/office/agents/tables.ts'
import { makeSecrets } from '#server/secrets.ts'
import { type Client, type Office, openOffice } from '#test/app.ts'
import { TEST_SECRET } from '#test/database.ts'
import { type MadeAgent, makeAgent } from '#test/make.ts'

/** As npm starts it. */
const QUICK = `--import=${new URL('./quick-loading.ts', import.meta.url)}`
const SCRIPT = fileURLToPath(new URL('./keys-rotate.ts', import.meta.url))
const FIELD_KEYS = `2:${'ab'.repeat(32)},1`
/** As many rows as the program takes at once. */
const BATCH = 200
const old = makeSecrets(TEST_SECRET)
const fresh = makeSecrets(TEST_SECRET, FIELD_KEYS)

let office: Office
/** Holds a row, so that the program stands still where a test wants it to. */
let holder: pg.Client
/** In the order in which the program comes to them: 100 agents, those that write, and 200 more. */
const first = Array.from({ length: 100 }, (_, i) => 501 + i)
const last = Array.from({ length: 200 }, (_, i) => 50_001 + i)
const writers: { agent: MadeAgent; me: Client }[] = []
const plainOf = (agentId: number) => `sign${agentId}key`

before(async () => {
  office = await openOffice({ settings: { FIELD_KEYS } })
  holder = new pg.Client({ connectionString: office.ownerUrl })
  await holder.connect()
  const createdAt = new Date().toISOString()
  await drizzle(office.owner)
    .insert(agents)
    .values([...first, ...last].map(id => agentRow({ id, createdAt })))
  for (let i = 0; i < 4; i++) {
    const agent = await makeAgent(office)
    writers.push({ agent, me: office.as(await office.login(agent.loginName)) })
  }
  await office.owner.query('update agents set pay_enabled = true')
})
after(async () => {
  await holder.end()
  await office.stop()
})
beforeEach(async () => {
  await office.owner.query('delete from payment_sign_keys')
  const all = [...first, ...writers.map(({ agent }) => agent.id), ...last]
  await office.owner.query(
    `insert into payment_sign_keys (agent_id, sealed, set_at, set_by_name)
     select id, sealed, now(), '测试' from unnest($1::bigint[], $2::bytea[]) as given (id, sealed)`,
    [all, all.map(id => old.encrypt(plainOf(id)))],
  )
})

function rotate() {
  const program = spawn(process.execPath, [QUICK, SCRIPT], {
    env: { PATH: process.env.PATH, DATABASE_URL: office.ownerUrl, SECRET_KEY: TEST_SECRET, FIELD_KEYS },
  })
  let said = ''
  for (const stream of [program.stdout, program.stderr])
    stream.on('data', (text: Buffer) => {
      said += text.toString()
    })
  const ended = once(program, 'close').then(([status]) => ({ status: status as number | null, said }))
  return { program, ended }
}

/** Works while the program waits for the row that is held, and lets it go on then. */
async function whileItWaits(work: () => Promise<void>): Promise<void> {
  const waits = async () =>
    (
      await office.owner.query(
        `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'
           and query like 'update payment_sign_keys%'`,
      )
    ).rows.length > 0
  while (!(await waits())) await pause(10)
  try {
    await work()
  } finally {
    await holder.query('rollback')
  }
}

async function hold(agentId: number): Promise<void> {
  await holder.query('begin')
  await holder.query('select 1 from payment_sign_keys where agent_id = $1 for update', [agentId])
}

async function kept(): Promise<Map<number, Buffer>> {
  const { rows } = await office.owner.query<{ agent_id: string; sealed: Buffer }>(
    'select agent_id, sealed from payment_sign_keys',
  )
  return new Map(rows.map(({ agent_id, sealed }) => [Number(agent_id), sealed]))
}

const withKey = (rows: ReadonlyMap<number, Buffer>, keyId: number) =>
  [...rows.values()].filter(sealed => sealed[0] === keyId).length

test('killed in the middle, what was done stays done, and run again it ends right', async () => {
  const total = first.length + writers.length + last.length
  // In the second batch.
  await hold(last[150] as number)
  const { program, ended } = rotate()
  await whileItWaits(async () => {
    program.kill('SIGKILL')
    assert.equal((await ended).status, null)
    const rows = await kept()
    assert.deepEqual([withKey(rows, 2), withKey(rows, 1)], [BATCH, total - BATCH])
    for (const [id, sealed] of rows) assert.equal(fresh.decrypt(sealed), plainOf(id))
  })
  const { status, said } = await rotate().ended
  assert.equal(status, 0, said)
  assert.match(said, /^key=2 encrypted=\d+ read=\d+ unreadable=0 left=0\n$/)
  const rows = await kept()
  assert.equal(withKey(rows, 2), total)
  for (const [id, sealed] of rows) assert.equal(fresh.decrypt(sealed), plainOf(id))
})

test('beside an office that writes, what it wrote meanwhile stands, and everything else is read as before', async () => {
  const expected = new Map([...first, ...last].map(id => [id, plainOf(id)]))
  const [gone, ...writing] = writers
  assert.ok(gone)
  let number = 0
  const write = async ({ agent, me }: (typeof writers)[number]) => {
    const signKey = `written${++number}`
    await me.paymentSettings.setSignKey({ signKey })
    expected.set(agent.id, signKey)
  }
  await hold(first[50] as number)
  const { ended } = rotate()
  // It has read these rows, and comes to them with what they were.
  await whileItWaits(async () => {
    await gone.me.paymentSettings.removeSignKey()
    for (const writer of writing) await write(writer)
  })
  let isOver = false
  const over = ended.then(result => {
    isOver = true
    return result
  })
  await Promise.all(
    writing.map(async writer => {
      do await write(writer)
      while (!isOver)
    }),
  )
  const { status, said } = await over
  assert.equal(status, 0, said)
  const rows = await kept()
  assert.equal(withKey(rows, 2), rows.size)
  const read = new Map([...rows].map(([id, sealed]) => [id, fresh.decrypt(sealed)] as const))
  assert.deepEqual(read, expected)
})
