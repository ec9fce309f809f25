// An import of 20,000 shops rehearsed and carried out, against the same work in bare statements of the database, batch by batch.
// npm run bench -- shop-import [lines]; a database of its own under DATA_DIR.
import { ROWS_AT_ONCE } from '#features/care/shop-import/rules.ts'
import { sampleCells, sampleCsv } from '#features/care/shop-import/sample.ts'
import { rehearse, start } from '#features/care/shop-import/server-start.ts'
import { uploadImport } from '#features/care/shop-import/server-upload.ts'
import { workOnImports } from '#features/care/shop-import/server-work.ts'
import { credit } from '#features/money/ledger/server.ts'
import { type Actor, type Ctx, identityOf, NO_CALLER } from '#server/ctx.ts'
import { makeCtx } from '#server/serve.ts'
import { inOwnOffice, type OwnOffice, wanted } from './office.ts'

const LINES = 20_000
const TARGETS = { rehearsed: 5, committed: 3 } as const
const ROUNDS = 5
const AGENT = '20001'
const OPERATOR = '10001'

export function measureImport(): Promise<void> {
  return inOwnOffice('shop-import', async office => {
    const lines = wanted(LINES)
    const agent = await actorOf(office, AGENT)
    const operator = await actorOf(office, OPERATOR)
    for (let times = 0; times < 2; times++)
      await within(office, operator, ctx =>
        credit(ctx, { agentId: agent.agentId, asset: 'token', amount: 1_000_000_000, reason: '测量' }),
      )
    await within(office, operator, ctx =>
      credit(ctx, { agentId: agent.agentId, asset: 'sms', amount: 2 * lines, reason: '测量' }),
    )
    const { rows } = await office.owner.query<{ last: string }>('select max(id) as last from merchants')
    const base = Number(rows[0]?.last)
    const program = await brought(office, agent, lines, base)
    const bare = await brought(office, agent, lines, base + lines)
    await measureRehearsal(office, agent, program)
    const took = await measureCommit(office, agent, program)
    const floor = await bareCommit(office, agent, bare)
    say('committed', took, floor, lines, TARGETS.committed)
  })
}

async function actorOf(office: OwnOffice, loginName: string): Promise<Actor> {
  const cookie = await office.logIn(loginName)
  return (await office.app.services.actorOf(cookie.slice(cookie.indexOf('=') + 1))) as Actor
}

const REQUEST = {
  id: 'bench',
  ip: '',
  userAgent: '',
  ...NO_CALLER,
  setSession: () => undefined,
  setView: () => undefined,
  setDevice: () => undefined,
}

function within<T>({ app }: OwnOffice, actor: Actor, work: (ctx: Ctx) => Promise<T>): Promise<T> {
  const { services } = app
  return services.database.write(identityOf(actor, services.walls), lent =>
    work(makeCtx(lent, { services, request: REQUEST }, actor).ctx),
  )
}

/** A file of lines that all become shops, uploaded and checked. */
async function brought(office: OwnOffice, actor: Actor, lines: number, base: number): Promise<number> {
  const cells = Array.from({ length: lines }, (_, at) =>
    sampleCells(`16${String(base + at).padStart(9, '0')}`, { sms: '1', term: `${1 + (at % 3)}年` }),
  )
  const bytes = Buffer.from(sampleCsv(cells)).toString('base64')
  const { services } = office.app
  const from = performance.now()
  const { id } = await uploadImport(makeCtx({} as never, { services, request: REQUEST }, actor).ctx, {
    fileName: '测量.csv',
    bytes,
    mode: 'charge',
    agentId: null,
    reason: '',
  })
  console.log(`${lines} lines read and checked in ${Math.round(performance.now() - from)} ms`)
  await office.owner.query('analyze shop_import_rows, shop_imports')
  return id
}

async function measureRehearsal(office: OwnOffice, actor: Actor, id: number): Promise<void> {
  const took = { program: 0, bare: 0 }
  for (let round = 0; round < ROUNDS; round++) {
    let from = performance.now()
    await within(office, actor, ctx => rehearse(ctx, { id }))
    took.program += performance.now() - from
    from = performance.now()
    await office.owner.query(BARE_REHEARSAL, [id, actor.agentId])
    took.bare += performance.now() - from
  }
  say('rehearsed', took.program / ROUNDS, took.bare / ROUNDS, 0, TARGETS.rehearsed)
}

/** What a person would ask the database by hand: how many of each kind, whose accounts are free, and the balance. */
const BARE_REHEARSAL = `
  select (r.form->>'versionId')::int, r.form->>'term', (r.form->>'periods')::int, count(*), sum((r.form->>'smsCount')::int),
    count(*) * price_at('version', (r.form->>'versionId')::int, r.form->>'term', now()) * (r.form->>'periods')::int,
    (select balance from ledger_accounts where owner_kind = 'agent' and owner_id = $2 and asset = 'token')
  from shop_import_rows r
  where r.import_id = $1 and r.state = 'pending' and not r.is_faulty and not r.skip and r.duplicate is null
  group by 1, 2, 3`

async function measureCommit(office: OwnOffice, actor: Actor, id: number): Promise<number> {
  const { token } = await within(office, actor, ctx => rehearse(ctx, { id }))
  await within(office, actor, ctx => start(ctx, { id, token }))
  const from = performance.now()
  while (await workOnImports(office.app.services));
  const took = performance.now() - from
  const { rows } = await office.owner.query<{ state: string; created: number; problem: string }>(
    'select state, created, problem from shop_imports where id = $1',
    [id],
  )
  console.log(`${rows[0]?.created} shops created, ${rows[0]?.state} ${rows[0]?.problem}`)
  return took
}

/** The same rows by bare statements, a transaction for as many lines. */
async function bareCommit({ owner }: OwnOffice, actor: Actor, id: number): Promise<number> {
  const { rows } = await owner.query<{ rows: number }>('select rows from shop_imports where id = $1', [id])
  const from = performance.now()
  for (let done = 0; done < Number(rows[0]?.rows); done += ROWS_AT_ONCE) {
    await owner.query('begin')
    await owner.query(BARE_SHOPS, [id, done, done + ROWS_AT_ONCE, actor.agentId, actor.accountId])
    await owner.query(BARE_ORDERS, [id, done, done + ROWS_AT_ONCE, actor.agentId, actor.accountId])
    await owner.query(BARE_MOVEMENTS, [id, done, done + ROWS_AT_ONCE, actor.agentId, actor.accountId])
    await owner.query('commit')
  }
  return performance.now() - from
}

const PART = `import_id = $1 and position > $2::int and position <= $3::int and $4::bigint > 0 and $5::bigint > 0`
const BARE_SHOPS = `
  with made as (
    insert into merchants (id, agent_id, store_kind, short_name, shop_name, person_name, account, password_hash, province_code, city_code,
      district_code, address, industry_id, version_id, shops_bought, status, registered_at, expires_at, verification_status, source)
    select nextval('merchant_ids'), $4::bigint, 'head', form->>'shortName', form->>'shopName', form->>'personName', form->>'account', 'none',
      left(form->>'districtCode', 2), left(form->>'districtCode', 4), form->>'districtCode', form->>'address', (form->>'industryId')::int,
      (form->>'versionId')::int, 1, 'normal', now(), now() + interval '1 year', 'unverified', 'import'
    from shop_import_rows where ${PART} order by position
    on conflict (account) do nothing returning id, account)
  update shop_import_rows r set state = 'created', merchant_id = made.id, order_no = next_order_no(), total_cents = 17880
  from made where r.account = made.account and r.import_id = $1 and r.position > $2::int and r.position <= $3::int`
const BARE_ORDERS = `
  insert into version_orders (order_no, agent_id, merchant_id, sales_type, status, version_id, term, periods, shops, branches, unit, unit_cents,
    original_cents, discount_basis_points, total_cents, content, pay_method, created_by, created_at, paid_at)
  select order_no, $4::bigint, merchant_id, 'new', 'paid', (form->>'versionId')::int, form->>'term', (form->>'periods')::int, 1, 0, '年', 29800,
    29800, 6000, total_cents, '新增商户 ' || (form->>'shopName'), 'balance', $5::bigint, now(), now()
  from shop_import_rows where ${PART} order by position`
const BARE_MOVEMENTS = `
  select ledger_post(jsonb_agg(movement)) from (
    select jsonb_build_object('kind', kind, 'asset', asset, 'amount', amount, 'from', jsonb_build_object('kind', 'agent', 'id', $4::bigint),
      'to', receiver, 'document', order_no, 'merchantId', merchant_id, 'payMethod', 'balance', 'agentId', $4::bigint, 'actorId', $5::bigint,
      'actorName', '测量', 'description', '新增商户') as movement
    from shop_import_rows cross join lateral (values
      ('version-new', 'token', 17880, jsonb_build_object('kind', 'vendor', 'book', 'revenue')),
      ('sms-open', 'sms', 1, jsonb_build_object('kind', 'merchant', 'id', merchant_id))) as moved (kind, asset, amount, receiver)
    where ${PART} order by position) as movements`

function say(what: string, programMs: number, bareMs: number, lines: number, target: number): void {
  const ratio = programMs / bareMs
  const each = lines > 0 ? `, ${Math.round((lines * 1_000) / programMs)} lines/s` : ''
  const line = `${what}: ${Math.round(programMs)} ms by the program, ${Math.round(bareMs)} ms bare, ${ratio.toFixed(2)} times (at most ${target})${each}`
  console.log(line)
  if (ratio > target) process.exitCode = 1
}
