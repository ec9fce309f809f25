// The walls of the database are what migrations/again says, whichever way it came there, and nothing else.
import assert from 'node:assert/strict'
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import test, { after, before } from 'node:test'
import pg from 'pg'
import { migrateDatabase } from '#server/postgres/migrate.ts'
import { makeSecrets } from '#server/secrets.ts'
import { openBeside, openOffice } from './app.ts'
import { freshDatabase, TEST_SECRET } from './database.ts'

/** The migrations that made walls and functions by themselves; from here on only the files of again/ do. */
const BY_NUMBER = 68
const WALLS = 'migrations/again/who-sees-what.sql'

/** What the files leave otherwise than those migrations did, each with why. */
const CHANGED: readonly (readonly [RegExp, string])[] = [
  [/^function (own_shops_rules\w*|guard_own_shops)\(\)$/, 'made the walls that the file makes now'],
  [/^function notify_accounts\(.*,text(,bigint)?\)$/, 'no program that called them runs on this database'],
  [/^function note_changed_merchants\(\)$/, 'names all fields of a shop that programs read'],
  [/^function sequence_shop_changes\(integer\)$/, 'tells once what one transaction says of a shop'],
  [/^column acquiring_progress\.remind\w+$/, 'newer than those migrations'],
  [/^column approval_requests\.(approved_\w+|service_answer)$/, 'newer than those migrations'],
  [
    /^relation own_shops\.(approval_requests|change_inbox|merchants|merchant_services|service_orders|shop_changes|shop_imports|shop_import_rows|verifications|version_order_effects)$/,
    'has columns more than then',
  ],
  [/^function (keep_written|price_sold)\(/, 'newer than those migrations, or says more'],
  [/^function (shop_uses|note_shop_removed|deposit_lines)\(/, 'newer than those migrations'],
  [
    /^policy public\.(change_inbox|shop_changes) own_shops$/,
    'whoever looked after a shop hears that it is gone',
  ],
  [
    /^(function move_(payment_applications|deposits|acquirer_onboardings|program_applications|program_flows|program_profiles|program_testers|program_versions|release_train_shops)\(\)|trigger merchants (payment_applications|deposits|acquirer_onboardings|program_applications|program_flows|program_profiles|program_testers|program_versions|release_train_shops)_move)$/,
    'newer than those migrations',
  ],
  [/^(function move_owner_papers\(\)|trigger merchants owner_papers_move)$/, 'newer than those migrations'],
  [
    /^(function (keep_\w*progress(_times)?|note_\w+_progress|progress_of_\w+|turn_of_progress)\(|trigger \w+ \w+_progress(_times)?$)/,
    'newer than those migrations',
  ],
  [
    /^(function (operation_log_hash|(write|link)_operation_log|log_operation_at|(make|drop)_operation_log_months?)\(|relation (own_shops.operation_logs|public.operation_logs_chain)$)/,
    'links of the log stand beside its rows',
  ],
  [/^function bigrams\(text\)$/, 'finds the same pieces in less time'],
  [/^relation public\.(merchants|merchants_search)$/, 'leave room for what follows, and wait for nothing'],
  [/^(function notify_sessions_ended\(\)|trigger sessions sessions_end)$/, 'says whose sessions ended'],
  [
    /^(function (keep_selling_fen(_since)?|selling_fen_of)\(|trigger \w+ keep_selling_fen(_since)?$|relation (own_shops.version_orders|public.version_orders_shop_paid)$)/,
    'an order keeps what it was sold for',
  ],
  [/^function letters\(text\)$/, 'one character has an index of its own'],
  [/^function transfer_pieces\(text,text\)$/, 'searches of changes have an index of their own'],
  [/^relation own_shops.document_facts$/, 'read out of all shops, with the policies behind it alone'],
]

let database: Awaited<ReturnType<typeof freshDatabase>>
let folder: string
const owners: pg.Client[] = []

before(async () => {
  // With PostgreSQL's own clock on whatever day the tests run: test/clock.sql binds functions and policies to another.
  database = await freshDatabase({ clockMs: 0 })
  folder = mkdtempSync(join(tmpdir(), 'partner-office-walls-'))
  cpSync('migrations', folder, { recursive: true })
})
after(async () => {
  rmSync(folder, { recursive: true, force: true })
  for (const owner of owners) await owner.end()
  await database.drop()
})

async function ownerAt(url: string): Promise<pg.Client> {
  const owner = new pg.Client({ connectionString: url })
  await owner.connect()
  owners.push(owner)
  return owner
}

/** Everything of the catalogue that says who may see or do what, by its name. */
async function catalogueOf(owner: pg.Client): Promise<Map<string, string>> {
  const { rows } = await owner.query<{ name: string; means: string }>(
    `select concat('policy ', schemaname, '.', tablename, ' ', policyname) as name,
       -- Rows are written under the condition of reading where no other is given.
       concat_ws(' ', permissive, roles, cmd, qual, 'check', coalesce(with_check, case cmd when 'ALL' then qual end)) as means
       from pg_policies
     union all select concat('function ', oid::regprocedure),
       concat_ws(' ', pg_get_functiondef(oid), pg_get_userbyid(proowner), proacl, proleakproof)
       from pg_proc p where pronamespace = 'public'::regnamespace and prokind = 'f'
         and not exists (select from pg_depend d where d.objid = p.oid and d.deptype = 'e')
     union all select concat('relation ', n.nspname, '.', relname),
       concat_ws(' ', relkind, pg_get_userbyid(relowner), relacl, relrowsecurity, relforcerowsecurity, reloptions,
         case relkind when 'v' then pg_get_viewdef(c.oid) end)
       from pg_class c join pg_namespace n on n.oid = relnamespace where n.nspname in ('public', 'own_shops')
     union all select concat('column ', attrelid::regclass, '.', attname), attacl::text
       from pg_attribute a join pg_class c on c.oid = attrelid
       where attacl is not null and relnamespace in ('public'::regnamespace, 'own_shops'::regnamespace)
     union all select concat('trigger ', tgrelid::regclass, ' ', tgname), concat(pg_get_triggerdef(oid), tgenabled)
       from pg_trigger where not tgisinternal
     union all select concat('schema ', nspname), nspacl::text from pg_namespace where nspname in ('public', 'own_shops')`,
  )
  return new Map(rows.map(({ name, means }) => [name, means]))
}

/** Names of what stands in one alone, or otherwise in the other. */
const differing = (one: Map<string, string>, other: Map<string, string>) =>
  [...new Set([...one.keys(), ...other.keys()])].filter(name => one.get(name) !== other.get(name)).sort()

const migrate = (ownerUrl: string, from?: string) =>
  migrateDatabase({
    ownerUrl,
    appPassword: makeSecrets(TEST_SECRET).databasePassword,
    afterwards: async () => undefined,
    folder: from,
  })

/** What stands otherwise than the file of the walls says: it is run, looked at and taken back. */
async function strayed(owner: pg.Client): Promise<string[]> {
  await owner.query('begin')
  try {
    const stands = await catalogueOf(owner)
    await owner.query(readFileSync(WALLS, 'utf8'))
    return differing(stands, await catalogueOf(owner))
  } finally {
    await owner.query('rollback')
  }
}

/** Tables that know an agent or a shop and stand on no line that says who sees them. */
async function withoutLine(owner: pg.Client): Promise<string[]> {
  const { rows } = await owner.query<{ name: string; wall: string }>(
    `with known as (select c.oid, c.relname as name, c.relrowsecurity as guarded, array_agg(a.attname::text) as columns
       from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
       where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition group by 1, 2, 3)
     select name, 'agents' as wall from known where (name = 'agents' or columns && array['agent_id', 'merchant_id'])
       and not (guarded and exists (select from pg_policy p where p.polrelid = known.oid and p.polpermissive))
     union all select name, 'own shops' from known where (name = 'merchants' or columns && array['merchant_id'])
       and not (to_regclass(format('own_shops.%I', name)) is not null
         and exists (select from pg_policy p where p.polrelid = known.oid and p.polname = 'own_shops' and not p.polpermissive))
     order by 1, 2`,
  )
  return rows.map(({ name, wall }) => `${name}: ${wall}`)
}

test('the files of again/ leave what the migrations left that held their parts', async () => {
  const byNumber = new URL(database.ownerUrl)
  byNumber.pathname += '_by_number'
  const name = byNumber.pathname.slice(1)
  const owner = await ownerAt(database.ownerUrl)
  const older = mkdtempSync(join(tmpdir(), 'partner-office-by-number-'))
  try {
    cpSync('migrations', older, { recursive: true, filter: path => !path.endsWith('again') })
    const journal = JSON.parse(readFileSync(join(older, 'meta/_journal.json'), 'utf8')) as {
      entries: unknown[]
    }
    writeFileSync(
      join(older, 'meta/_journal.json'),
      JSON.stringify({ ...journal, entries: journal.entries.slice(0, BY_NUMBER) }),
    )
    await owner.query(`create database ${name} template template0`)
    await migrate(byNumber.toString(), older)
    const there = await ownerAt(byNumber.toString())
    // As the program of then did behind its migrations.
    await there.query('select guard_own_shops()')
    const then = await catalogueOf(there)
    assert.ok(then.size > 600)

    await migrate(byNumber.toString())
    const now = await catalogueOf(there)
    const isNew = (one: string) => {
      const [, of] = /^(?:policy|relation) \w+\.(\w+)/.exec(one) ?? []
      return of !== undefined && !then.has(`relation public.${of}`)
    }
    const unexplained = differing(then, now).filter(
      one => !isNew(one) && !CHANGED.some(([pattern]) => pattern.test(one)),
    )
    assert.deepEqual(unexplained, [], 'say in CHANGED why it is otherwise')
    assert.deepEqual(differing(now, await catalogueOf(owner)), [], 'an empty database comes to the same')
  } finally {
    rmSync(older, { recursive: true, force: true })
    await owners.pop()?.end()
    await owner.query(`drop database if exists ${name} with (force)`)
  }
})

test('a file is run again when its text has changed, and only then', async () => {
  const owner = await ownerAt(database.ownerUrl)
  const runs = async () =>
    Object.fromEntries(
      (await owner.query(`select name, run_at::text from drizzle.again where name like '%.sql'`)).rows.map(
        Object.values,
      ),
    )
  const first = await catalogueOf(owner)
  const before = await runs()
  assert.deepEqual(Object.keys(before).sort(), [
    'bigrams.sql',
    'deposit-lines.sql',
    'keep-written.sql',
    'ledger-post.sql',
    'notify-accounts.sql',
    'operation-log.sql',
    'shop-uses.sql',
    'told-shops.sql',
    'who-sees-what.sql',
  ])

  await migrate(database.ownerUrl, folder)
  assert.deepEqual(await runs(), before, 'what has not changed is left alone')

  const file = join(folder, 'again/who-sees-what.sql')
  const text = readFileSync(file, 'utf8')
  writeFileSync(file, text.replace(/\('notices', +'agency', +/, "('notices', 'vendor', "))
  await migrate(database.ownerUrl, folder)
  assert.deepEqual(differing(first, await catalogueOf(owner)), [
    'policy public.notices staff',
    'policy public.notices tenant',
  ])
  const changed = await runs()
  assert.notEqual(changed['who-sees-what.sql'], before['who-sees-what.sql'])
  assert.equal(changed['ledger-post.sql'], before['ledger-post.sql'])

  writeFileSync(file, text.replace(/\('notices', +'agency', +/, "('notices', 'nobody', "))
  await assert.rejects(
    migrate(database.ownerUrl, folder),
    /again\/who-sees-what.sql: the line of notices has a word/,
  )
  assert.deepEqual(await runs(), changed, 'what fails leaves nothing')

  await migrate(database.ownerUrl)
  assert.deepEqual(differing(first, await catalogueOf(owner)), [])
  await owner.query('delete from drizzle.again')
  await migrate(database.ownerUrl)
  assert.deepEqual(differing(first, await catalogueOf(owner)), [], 'all of them once more change nothing')
})

test('a program that starts on the database of an older one gives it its own text', async () => {
  const office = await openOffice()
  try {
    await office.owner.query(
      `drop policy tenant on notices; drop function notify_accounts; update drizzle.again set hash = 'of before'`,
    )
    const newer = await openBeside(office)
    await newer.stop()
    const owner = await ownerAt(office.ownerUrl)
    assert.deepEqual(await strayed(owner), [])
    assert.ok(
      [...(await catalogueOf(owner)).keys()].some(name => name.startsWith('function notify_accounts(')),
    )
    await owners.pop()?.end()
  } finally {
    await office.stop()
  }
})

test('every table that knows an agent or a shop stands on a line, and nothing stands otherwise than its line', async () => {
  const owner = await ownerAt(database.ownerUrl)
  assert.deepEqual(await withoutLine(owner), [], `give it a line in ${WALLS}`)
  assert.deepEqual(await strayed(owner), [])
})

test('a policy that was dropped or changed by hand, and a table without a line, are found', async () => {
  const owner = await ownerAt(database.ownerUrl)
  await owner.query('drop policy tenant on notices')
  await owner.query('alter policy tenant on accounts using (true)')
  await owner.query('create policy more on roles using (true)')
  await owner.query('alter table sessions disable row level security')
  await owner.query('drop view own_shops.campaigns')
  assert.deepEqual(await strayed(owner), [
    'policy public.accounts tenant',
    'policy public.notices tenant',
    'policy public.roles more',
    'relation own_shops.campaigns',
    'relation public.sessions',
  ])
  await owner.query('create table visits (id bigint primary key, agent_id bigint, merchant_id bigint)')
  assert.deepEqual(await withoutLine(owner), [
    'notices: agents',
    'sessions: agents',
    'visits: agents',
    'visits: own shops',
  ])
})
