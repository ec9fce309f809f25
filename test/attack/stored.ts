// Second order: hostile text in every text that people wrote, and in every address. Then every read and every file is asked for, and every
// page is opened in a browser with what its policy reports. Nothing is executed, no link leads into a script, no answer is 500.

import pg from 'pg'
import type { Page } from 'playwright-core'
import { ROUTE_PAGES } from '#app/route-pages.ts'
import { DEMO_PASSWORD } from '#features/office/access/sample.ts'
import { type BrowserOffice, openBrowserOffice, ready } from '#test/e2e/browser.ts'
import { call, everyOperation, type Walked } from '#test/walk.ts'
import { isBroken, type Report } from './report.ts'

const SCRIPT = 'executed=1'
/** Shorter than what the shortest text may be that an answer is held to. */
const HOSTILE = `<img src=x onerror=${SCRIPT}><svg onload=${SCRIPT}>'"\`</script>=1+1%\\\u202e`
const LINK = `javascript:${SCRIPT}//`
/** React's own word in place of such an address. */
const BLOCKED = "javascript:throw new Error('React has blocked"
/** What the browser says where a page asks for it; what the policy reported is looked at page by page. */
const REPORTED = 'console: Executing inline event handler'

/** The operator and a partner of the demo. */
const ACCOUNTS = ['10001', '20001'] as const
/** Live ones of a kind that an operation is asked for. */
const TRIED_OF_A_KIND = 2
const LINKS_OF_A_PAGE = 2
/** What people wrote is Chinese in the demo, words of the program are not. */
const WRITTEN = '[\u4e00-\u9fff]'
const ADDRESS = '^https?://'
/** Whose texts are the program's own. */
const OF_THE_PROGRAM = ['permission_nodes']

export async function attackStored(report: Report): Promise<void> {
  const office = await openBrowserOffice()
  try {
    await poison(office, report)
    for (const loginName of ACCOUNTS) {
      const cookie = await signIn(office, loginName)
      await readEverything(office, cookie, report)
    }
    for (const loginName of ACCOUNTS) await openEverything(office, loginName, report)
  } finally {
    // Throws what a page met: a script's error, what a policy refused, an answer of 500.
    await office.stop().catch((error: Error) => {
      for (const line of error.message.split('\n')) if (!line.startsWith(REPORTED)) report.breach(line)
    })
  }
}

/** Past what the operations clean and refuse: as if each had let everything in. */
async function poison(office: BrowserOffice, report: Report): Promise<void> {
  const columns = await office.sql<{ table: string; column: string }>(
    `select c.table_name as table, c.column_name as column from information_schema.columns c
     join information_schema.tables t using (table_schema, table_name)
     where c.table_schema = 'public' and t.table_type = 'BASE TABLE' and c.data_type = 'text' and c.is_generated = 'NEVER'
       and c.table_name <> all ($1) order by 1, 2`,
    [OF_THE_PROGRAM],
  )
  await office.sql('set session_replication_role = replica')
  for (const { table, column } of columns)
    for (const [held, text] of [
      [WRITTEN, HOSTILE],
      [ADDRESS, LINK],
    ] as const)
      await fill(office, table, column, held, text, report)
  await office.sql('set session_replication_role = origin')
}

async function fill(
  office: BrowserOffice,
  table: string,
  column: string,
  held: string,
  text: string,
  report: Report,
): Promise<void> {
  const [into, name] = [pg.escapeIdentifier(table), pg.escapeIdentifier(column)]
  const [found] = await office.sql(`select from ${into} where ${name} ~ $1 limit 1`, [held])
  if (!found) return
  try {
    // Each another, where no two may be alike.
    await office.sql(`update ${into} set ${name} = $1 || ctid::text where ${name} ~ $2`, [text, held])
    report.count('fields')
  } catch (error) {
    // What takes a few words alone is no text that people write.
    if (!['23514', '42501', '22001'].includes((error as pg.DatabaseError).code ?? '')) throw error
    report.count('fields_of_words')
  }
}

async function signIn({ app }: BrowserOffice, loginName: string): Promise<string> {
  const door = { method: 'POST', path: '/session' }
  const answer = await call(app, null, door, { loginName, password: DEMO_PASSWORD })
  const [cookie] = [answer.headers['set-cookie']].flat()
  if (answer.status !== 200 || typeof cookie !== 'string') throw new Error(`${loginName} is not let in`)
  return cookie.split(';', 1)[0] as string
}

/** By feature and name of a field, what its lists answered. */
type Live = Map<string, Set<string | number>>

async function readEverything({ app }: BrowserOffice, cookie: string, report: Report): Promise<void> {
  const live: Live = new Map()
  const reads = everyOperation().filter(({ changes }) => !changes)
  const ask = async (operation: Walked, input: Record<string, unknown>) => {
    const answer = await call(app, cookie, operation, input)
    report.count('calls')
    if (answer.status === 200) report.count('read')
    if (isBroken(answer.status, answer.code))
      report.breach(`${operation.name} answered ${answer.status} to ${JSON.stringify(input)}`)
    return answer
  }
  for (const operation of reads.filter(({ path }) => !path.includes('{'))) {
    const answer = await ask(operation, operation.isDownload ? {} : { size: 100 })
    if (answer.status !== 200) await ask(operation, {}).then(({ body }) => collect(live, operation, body))
    else collect(live, operation, answer.body)
  }
  for (const operation of reads.filter(({ path }) => path.includes('{')))
    for (const input of inputsOf(live, operation))
      collect(live, operation, (await ask(operation, input)).body)
}

const featureOf = ({ name }: Walked) => name.split('.', 1)[0] ?? ''

function collect(live: Live, operation: Walked, body: unknown): void {
  if (Array.isArray(body)) for (const one of body) collect(live, operation, one)
  else if (typeof body === 'object' && body !== null)
    for (const [key, value] of Object.entries(body)) {
      if (typeof value === 'string' || typeof value === 'number')
        for (const place of [`${featureOf(operation)}.${key}`, `.${key}`])
          live.set(place, (live.get(place) ?? new Set()).add(value))
      else collect(live, operation, value)
    }
}

/** With what the lists of its own feature name so, else with what any does. */
function inputsOf(live: Live, operation: Walked): Record<string, string | number>[] {
  const names = [...operation.path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)
  const known = (name: string) => [
    ...(live.get(`${featureOf(operation)}.${name}`) ?? live.get(`.${name}`) ?? ['1']),
  ]
  return Array.from({ length: TRIED_OF_A_KIND }, (_, nth) =>
    Object.fromEntries(names.map(name => [name, known(name)[nth] ?? known(name)[0] ?? 1])),
  )
}

async function openEverything(office: BrowserOffice, loginName: string, report: Report): Promise<void> {
  const page = await office.signIn(loginName)
  await page.addInitScript(WATCH)
  await page.goto('/admin/index')
  await ready(page)
  const seen = new Map<string, number>()
  const addresses = ROUTE_PAGES.map(({ path }) => path as string)
  for (let address = addresses.shift(); address !== undefined; address = addresses.shift()) {
    if (report.isOver()) return void report.breach(`left out from ${address} on: the time is over`)
    await page.evaluate(`history.pushState(null, '', ${JSON.stringify(address)})`)
    await ready(page)
    report.count('pages')
    for (const found of await look(page)) report.breach(`${address}: ${found}`)
    for (const link of await linksOf(page)) {
      const path = link.split('?', 1)[0] ?? ''
      const times = seen.get(path) ?? 0
      if (!link.includes('?') || times >= LINKS_OF_A_PAGE) continue
      seen.set(path, times + 1)
      addresses.push(link)
    }
  }
}

/**
 * In a page: keeps what the policy reports. Whoever washes markup parses it first, in a document of its own in which nothing is executed and
 * whose handlers are reported all the same: so many are expected.
 */
const WATCH = `
  globalThis.refused = []
  globalThis.parsed = 0
  addEventListener('securitypolicyviolation', ({ target, violatedDirective, blockedURI }) => {
    const where = target === document ? 'the document' : target.outerHTML.slice(0, 200)
    refused.push({ isHandler: violatedDirective === 'script-src-attr' && target === document, text: violatedDirective + ' ' + blockedURI + ' of ' + where })
  })
  const { parseFromString } = DOMParser.prototype
  DOMParser.prototype.parseFromString = function (...given) {
    const made = parseFromString.apply(this, given)
    for (const one of made.querySelectorAll('*')) parsed += [...one.attributes].filter(({ name }) => name.startsWith('on')).length
    return made
  }`

/** What was executed and refused since it was looked at last, and links that lead into a script. */
function look(page: Page): Promise<string[]> {
  return page.evaluate<string[]>(`new Promise(resolve => setTimeout(resolve)).then(() => {
    const inPage = refused.filter(one => !one.isHandler || --parsed < 0).map(one => 'the policy refused ' + one.text)
    refused = []
    const addresses = [...document.querySelectorAll('a[href], form[action], iframe[src]')]
      .map(one => one.getAttribute('href') ?? one.getAttribute('action') ?? one.getAttribute('src') ?? '')
    const led = addresses.filter(one => /^javascript:/i.test(one) && !one.startsWith(${JSON.stringify(BLOCKED)}))
    const executed = globalThis.executed ? ['a script was executed'] : []
    delete globalThis.executed
    return [...inPage, ...led.map(one => 'a link leads into a script: ' + one), ...executed]
  })`)
}

function linksOf(page: Page): Promise<string[]> {
  return page.evaluate<string[]>(
    `[...document.querySelectorAll('main a[href^="/admin"]')].map(one => one.getAttribute('href'))`,
  )
}
