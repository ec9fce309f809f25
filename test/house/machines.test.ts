// A state changes as its table of steps says and not otherwise: each update of a state takes `from` and `to` out of the table
// in rules.ts, and each step of each table is taken somewhere. It reads the sources.
import assert from 'node:assert/strict'
import { globSync } from 'node:fs'
import { dirname } from 'node:path'
import test from 'node:test'
import { getTableColumns } from 'drizzle-orm'
import { contract, posContract } from '#app/joined.ts'
import type { Machine } from '#kit/declare/machine.ts'
import { listOps } from '#kit/declare/op.ts'
import { featureOf, fileOf, forbid, PRODUCT, ROOT } from './sources.ts'
import { columnReasons, TABLES, type Write, writesIn } from './statements.ts'

/** The column that each machine moves. */
const COLUMNS: Record<string, string> = {
  ACCOUNT_CHANGE_STEPS: 'accountChanges.state',
  ACQUIRER_APPROVAL_STEPS: 'acquirerOnboardings.approvalState',
  ACQUIRER_STEPS: 'acquirerOnboardings.state',
  AGENCY_EXPORT_STEPS: 'agencyExports.state',
  AGENT_STEPS: 'agents.status',
  APPROVAL_STEPS: 'approvalRequests.state',
  ATTEMPT_STEPS: 'paymentAttempts.status',
  CAMPAIGN_STEPS: 'campaigns.status',
  DELIVERY_STEPS: 'hardwareOrders.deliveryStatus',
  DEPOSIT_PAYMENT_STEPS: 'depositPayments.state',
  DEPOSIT_REQUEST_STEPS: 'depositRequests.state',
  DEPOSIT_STEPS: 'deposits.state',
  DOCUMENT_STEPS: 'documents.state',
  APPLICATION_STEPS: 'partnerApplications.state',
  CLEARING_STEPS: 'tableClearings.state',
  CLOSING_STEPS: 'partnerClosings.state',
  ERASURE_STEPS: 'personErasures.state',
  EVENT_STEPS: 'providerEvents.status',
  EXPORT_STEPS: 'exportJobs.state',
  FEEDBACK_STEPS: 'feedbackMessages.state',
  HELP_STEPS: 'helpArticles.state',
  IMPORT_STEPS: 'shopImports.state',
  INTENT_STEPS: 'paymentIntents.status',
  LINE_STEPS: 'shopImportRows.state',
  MESSAGE_STEPS: 'outboxMessages.status',
  ONBOARDING_STEPS: 'onboardings.state',
  ONLINE_RENEWAL_STEPS: 'onlineRenewals.state',
  ORDER_STEPS: 'versionOrders.status',
  RECONCILIATION_STEPS: 'paymentReconciliations.status',
  OWNER_PAPERS_STEPS: 'ownerPapers.state',
  PAYMENT_APPLICATION_STEPS: 'paymentApplications.state',
  AUDIT_STEPS: 'programAudits.state',
  PROFILE_CHANGE_STEPS: 'programProfileChanges.state',
  FLOW_STEPS: 'programFlows.state',
  PROGRAM_APPLICATION_STEPS: 'programApplications.state',
  REFUND_STEPS: 'paymentRefunds.status',
  SERVICE_ORDER_STEPS: 'serviceOrders.state',
  SIGNATURE_STEPS: 'shopSignatures.state',
  SMS_ORDER_STEPS: 'smsOrders.status',
  TEST_PAYMENT_STEPS: 'acquirerTestPayments.state',
  STATUS_STEPS: 'merchants.status',
  THREAD_STEPS: 'threads.state',
  TOKEN_ORDER_STEPS: 'tokenOrders.status',
  VERIFICATION_STEPS: 'verifications.state',
  TRAIN_SHOP_STEPS: 'releaseTrainShops.state',
  TRAIN_STEPS: 'releaseTrains.state',
  UNDO_REQUEST_STEPS: 'undoRequests.state',
  BACK_REQUEST_STEPS: 'shopImportRequests.state',
  WEBHOOK_DELIVERY_STEPS: 'webhookDeliveries.state',
  WORK_ORDER_STEPS: 'workOrders.state',
}

/** Why a column that holds a state has no steps, over the column. */
const NOT_MOVED = columnReasons('No steps')

/** Statements whose new state is not written in them. */
const WRITTEN_ELSEWHERE: Record<string, string> = {
  'features/shops/messages/server-outcomes.ts':
    'mayBecome, which reads the table, has let the change through',
  'features/care/shop-import/server-back.ts':
    'each line by what became of it; it has its step out of LINE_STEPS',
  'features/care/shop-import/server-work.ts': 'as above',
  'features/shops/merchants/server-changes.ts':
    'by its type it disables alone, also what is disabled already',
}

type Found = { name: string; path: string; machine: Machine<string>; table: string; key: string }

const MACHINES: Found[] = []
for (const path of globSync('features/**/rules.ts', { cwd: ROOT }).sort())
  for (const [name, value] of Object.entries((await import(`#${path}`)) as Record<string, unknown>))
    if (isMachine(value)) {
      const [table = '', key = ''] = (COLUMNS[name] ?? '').split('.')
      MACHINES.push({ name, path, machine: value, table, key })
    }

function isMachine(value: unknown): value is Machine<string> {
  const steps = value && typeof value === 'object' && !Array.isArray(value) ? Object.values(value) : []
  return (
    steps.length > 0 && steps.every(step => step && typeof step === 'object' && 'by' in step && 'to' in step)
  )
}

const CODE = PRODUCT.filter(
  ({ path }) =>
    (featureOf(path) !== null || path.startsWith('server/') || path.startsWith('app/')) &&
    /\.ts$/.test(path) &&
    !['demo.ts', 'sample.ts', 'rules.ts', 'tables.ts'].includes(fileOf(path)),
)
const WRITES = CODE.flatMap(writesIn)
const columnOf = ({ table, key }: Found) => {
  const { columns } = TABLES.find(({ name }) => name === table) ?? {}
  return (columns && getTableColumns(columns)[key]?.name) ?? ''
}

test('every column that holds a state has its table of steps, or says why it needs none', () => {
  const states = TABLES.flatMap(({ name, columns }) =>
    Object.keys(getTableColumns(columns))
      .filter(key => /^(state|status)$|(State|Status)$/.test(key))
      .map(key => `${name}.${key}`),
  )
  const known = [...Object.values(COLUMNS), ...NOT_MOVED.keys()]
  assert.deepEqual(
    states.toSorted(),
    known.toSorted(),
    'Write a Machine into rules.ts and name it here, or say over the column why not: `// No steps: …`.',
  )
  const found = MACHINES.map(({ name }) => name).toSorted()
  assert.deepEqual(found, Object.keys(COLUMNS).toSorted(), 'Name the column that the machine moves.')
})

test('whoever may take a step is the program, a provider, or somebody whom an operation that changes lets in', () => {
  const permissions = [...listOps(contract), ...listOps(posContract)].flatMap(({ method, meta }) =>
    method === 'GET' ? [] : meta.permission,
  )
  const movers = ['program', 'provider', ...permissions]
  const unknown = MACHINES.flatMap(({ name, path, machine }) =>
    Object.entries(machine).flatMap(([action, { by }]) =>
      by.filter(mover => !movers.includes(mover)).map(mover => `${path} ${name}.${action} by ${mover}`),
    ),
  )
  forbid(unknown, 'Name the permission of the operation that takes the step.')
})

test('an update of a state takes where from and where to out of the table of steps', () => {
  const broken = MACHINES.flatMap(found =>
    WRITES.filter(({ verb, table }) => verb === 'update' && table.name === found.table).flatMap(write =>
      (write.sql === null ? brokenCall(found, write) : brokenSql(found, write, write.sql)).map(
        what => `${write.path}:${write.line} ${what}`,
      ),
    ),
  )
  forbid(
    broken,
    'Take both from the machine in rules.ts: set({ state: STEPS.action.to }).where(inArray(table.state, STEPS.action.from)).',
  )
})

function brokenCall({ name, key, machine }: Found, { calls, within }: Write): string[] {
  const { set = '', where = '' } = calls
  if (/^\w+$/.test(set.trim())) return ['sets what is written elsewhere']
  const values = [...set.matchAll(new RegExp(`(?<![.\\w])${key}\\b(?:: ([^,}\\n]+?))?\\s*[,}\\n]`, 'g'))]
  const all = new Set(Object.values(machine).flatMap(({ from, to }) => [...from, to]))
  return values.flatMap(([, value = key]) => {
    const action = value.match(new RegExp(`^${name}\\.(\\w+)\\.to$`))?.[1]
    if (action) {
      const isFromAll = machine[action]?.from.length === all.size
      return isFromAll || where.includes(`${name}.${action}.from`) ? [] : [`does not ask for ${action}.from`]
    }
    const isTaken = new RegExp(`const \\{ from, to(?:: ${value})? \\} = ${name}[.[]`).test(within)
    if (!isTaken || (value !== 'to' && !within.includes(`to: ${value} }`)))
      return [`writes ${value} as ${key}`]
    return /\bfrom\b/.test(where) ? [] : ['does not ask for `from`']
  })
}

function brokenSql(found: Found, { path }: Write, sql: string): string[] {
  const column = columnOf(found)
  const [set = '', ...wheres] = sql.split(/\swhere\s/)
  const where = wheres.join(' ')
  const value = set.match(new RegExp(`\\b${column} = ([^,\\s]+)`))?.[1]
  if (value === undefined || path in WRITTEN_ELSEWHERE) return []
  const from = [...where.matchAll(new RegExp(`\\b${column} = '(\\w+)'`, 'g'))].map(
    match => match[1] as string,
  )
  const stands = Object.values(found.machine).some(
    step => `'${step.to}'` === value && from.length > 0 && from.every(state => step.from.includes(state)),
  )
  return stands ? [] : [`moves ${from.join(', ') || 'any state'} to ${value}`]
}

test('what is written elsewhere is still written there', () => {
  for (const path of Object.keys(WRITTEN_ELSEWHERE))
    assert.ok(
      WRITES.some(write => write.path === path && write.sql !== null),
      path,
    )
})

test('every step of every table is taken by some code', () => {
  const idle = MACHINES.flatMap(found =>
    Object.keys(found.machine)
      .filter(action => !isTaken(found, action))
      .map(action => `${found.path} ${found.name}.${action}`),
  )
  forbid(idle, 'Take out the step, or let the code that takes it read the table.')
})

/** By name, in SQL, or as one of several by a word that another function says. */
function isTaken(found: Found, action: string): boolean {
  const { name, path, machine, table } = found
  const to = machine[action]?.to ?? ''
  const inSql = `${columnOf(found)} = '${to}'`
  if (
    CODE.some(({ text }) => text.includes(`${name}.${action}.to`) || text.includes(`} = ${name}.${action}\n`))
  )
    return true
  if (WRITES.some(write => write.table.name === table && write.sql?.includes(inSql))) return true
  // What becomes of a message is told by the state that it leads to.
  if (name === 'MESSAGE_STEPS')
    return CODE.some(({ text }) => /recordOutcomes|Outcome\[\]/.test(text) && text.includes(`'${to}'`))
  const own = CODE.filter(source => dirname(source.path) === dirname(path))
  return (
    own.some(({ text }) => text.includes(`${name}[`)) && own.some(({ text }) => text.includes(`'${action}'`))
  )
}
