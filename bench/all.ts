// npm run bench [-- --minutes 20]: every measurement in a process of its own, one after the other, once their databases are there; at the end one
// table with what the last run on this machine came to. A part that fails, or for which no time is left, is a line that says so.
import { spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { ROOT } from './child.ts'

const MINUTES = 20
const PROGRAM = ['--disable-warning=ExperimentalWarning', join(ROOT, 'bench/run.ts')]
const KEPT = join(ROOT, '.cache/bench/last-table.json')

/** What each is told: smaller than alone, where that says the same. The first measures the office, and has a third of the time. */
type Part = { name: string; args: readonly string[]; withinS: number }
const PARTS: readonly Part[] = [
  { name: 'office', args: ['--seconds', '1.2'], withinS: 480 },
  { name: 'work-orders', args: ['work-orders'], withinS: 90 },
  { name: 'labels', args: ['labels'], withinS: 60 },
  { name: 'demands', args: ['demands'], withinS: 90 },
  { name: 'acquiring', args: ['acquiring'], withinS: 120 },
  { name: 'programs', args: ['programs'], withinS: 120 },
  { name: 'log', args: ['log', '200000'], withinS: 120 },
  { name: 'insights', args: ['insights', '500'], withinS: 120 },
  { name: 'pos-changes', args: ['pos-changes', '200000'], withinS: 60 },
  { name: 'papers', args: ['papers', '1000'], withinS: 120 },
  { name: 'shop-import', args: ['shop-import', '5000'], withinS: 120 },
  { name: 'sending', args: ['sending', '--messages', '10000'], withinS: 120 },
  { name: 'sockets', args: ['sockets'], withinS: 120 },
  { name: 'instances', args: ['instances'], withinS: 90 },
  { name: 'start', args: ['start'], withinS: 120 },
  { name: 'memory', args: ['memory', '60'], withinS: 150 },
]

/** Of its time, what the first begins something new in. */
const OWN_SHARE = 0.85

/** `isGood`: false where a target is missed. */
type Figure = { name: string; figure: string; isGood: boolean }
type Ended = { figures: Figure[]; failures: string[]; seconds: number }
type Case = { title: string; throughput: number; median: number }
type Office = {
  targets: Record<
    'throughput' | 'median' | 'export' | 'exportMiB' | 'longExportMiB' | 'beside' | 'bulk',
    number
  >
  cases: Case[]
  export: { ratio: number; peakMiB: number } | null
  /** `ratio`: of a list beside it. */
  longExport: { ratio: number; peakMiB: number } | null
  bulk: { ratio: number } | null
}

function say(line: string): void {
  process.stdout.write(`${line}\n`)
}

/** True where nothing failed. */
export async function measureAll(minutes = MINUTES): Promise<boolean> {
  if (!(minutes >= 1 && minutes <= 600)) throw new Error('--minutes must be a number from 1 to 600.')
  const before = readBefore()
  // Once, and long: none of theirs.
  const making = spawnSync(process.execPath, [...PROGRAM, 'database'], { cwd: ROOT, stdio: 'inherit' })
  if (making.status !== 0) throw new Error('The database of the office cannot be made.')
  const endsMs = performance.now() + minutes * 60_000
  const ended = new Map<string, Ended>()
  for (const part of PARTS) {
    const leftS = (endsMs - performance.now()) / 1_000
    say(`\n${part.name}`)
    ended.set(
      part.name,
      leftS < 1
        ? { figures: [], failures: ['no time was left'], seconds: 0 }
        : await measured(part, Math.min((part.withinS * minutes) / MINUTES, leftS)),
    )
  }
  const kept: Record<string, string> = { ...before }
  say(`\n${''.padEnd(64)} ${'now'.padStart(22)}   ${'last'.padStart(22)}`)
  for (const [name, { figures, failures, seconds }] of ended) {
    for (const one of figures) {
      const key = `${name}: ${one.name}`
      say(row(key, one.figure, before[key], one.isGood))
      kept[key] = one.figure
    }
    for (const failure of failures) say(`${name.padEnd(64)} FAILED ${failure}`)
    say(row(name, `${seconds.toFixed(0)} s`, before[name], failures.length === 0))
    kept[name] = `${seconds.toFixed(0)} s`
  }
  mkdirSync(dirname(KEPT), { recursive: true })
  writeFileSync(KEPT, JSON.stringify(kept, null, 1))
  return [...ended.values()].every(({ failures }) => failures.length === 0)
}

const row = (name: string, now: string, last: string | undefined, isGood: boolean) =>
  `${name.slice(0, 64).padEnd(64)} ${now.padStart(22)} ${isGood ? ' ' : '!'} ${(last ?? '-').padStart(22)}`

function readBefore(): Record<string, string> {
  return existsSync(KEPT) ? (JSON.parse(readFileSync(KEPT, 'utf8')) as Record<string, string>) : {}
}

/** What it says is said on, and read for figures. */
async function measured({ name, args }: Part, withinS: number): Promise<Ended> {
  const isOffice = name === PARTS[0]?.name
  // What measures many things leaves out those for which no time is left.
  const told = isOffice ? [...args, '--within', String(withinS * OWN_SHARE)] : args
  const startedMs = performance.now()
  const child = spawn(process.execPath, [...PROGRAM, ...told], {
    cwd: ROOT,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const lines: string[] = []
  let rest = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    const pieces = (rest + text).split('\n')
    rest = pieces.pop() ?? ''
    for (const line of pieces) {
      lines.push(line)
      if (!line.startsWith('{')) say(`  ${line}`)
    }
  })
  let isLate = false
  const late = setTimeout(() => {
    isLate = true
    child.kill('SIGTERM')
  }, withinS * 1_000)
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject)
    child.once('close', resolve)
  })
  clearTimeout(late)
  // Of the office its last line says all; others have such lines, too.
  const whole = isOffice ? lines.find(line => line.startsWith('{')) : undefined
  const figures = whole ? figuresOfOffice(JSON.parse(whole) as Office) : lines.flatMap(figuresOf)
  return {
    figures,
    failures: failuresOf({ code, isLate, withinS, figures, lines }),
    seconds: (performance.now() - startedMs) / 1_000,
  }
}

type Outcome = { code: number | null; isLate: boolean; withinS: number; figures: Figure[]; lines: string[] }

/** A target that is missed ends with 1, too, and stands in the table. */
function failuresOf({ code, isLate, withinS, figures, lines }: Outcome): string[] {
  const told = lines.flatMap(line => (line.startsWith(FAILED) ? line.slice(FAILED.length) : []))
  if (isLate) return [...told, `it was not done within ${withinS.toFixed(0)} s`]
  if (told.length > 0) return told
  if (lines.length === 0) return [`it ended with ${code} and said nothing`]
  return code === 0 || figures.some(({ isGood }) => !isGood) ? [] : [`it ended with ${code}`]
}

const FAILED = 'FAILED '

/** What a line says as a figure: a ratio, or what has a goal. */
function figuresOf(line: string): Figure[] {
  const [, name, ratio] = /^(.+?): .*\bratio ([\d.]+)/.exec(line) ?? []
  if (name && ratio) return [{ name, figure: `ratio ${ratio}`, isGood: !line.includes('BELOW') }]
  const [, mark, what, value] = /^([ !]) (\S.*?)\s{2,}([\d.]+).*\bgoal/.exec(line) ?? []
  if (what && value) return [{ name: what, figure: value, isGood: mark !== '!' }]
  const [, promise, most] = /^(R\d): at most ([\d.]+ MiB) \(target/.exec(line) ?? []
  if (promise && most) return [{ name: promise, figure: most, isGood: !line.includes('NOT kept') }]
  const [, over, share] = /^([ !]) ([\d.]+ MB) at the end/.exec(line) ?? []
  return share ? [{ name: 'at the end', figure: share, isGood: over !== '!' }] : []
}

function figuresOfOffice({ targets, cases, export: file, longExport, bulk }: Office): Figure[] {
  return [
    ...cases.map(({ title, throughput, median }) => ({
      name: title,
      figure: `${throughput.toFixed(2)} median ${median.toFixed(2)}`,
      isGood: throughput >= targets.throughput && median <= targets.median,
    })),
    ...(file
      ? [
          {
            name: 'export of 100,000 rows',
            figure: `${file.ratio.toFixed(2)}, ${file.peakMiB.toFixed(0)} MiB`,
            isGood: file.ratio <= targets.export && file.peakMiB <= targets.exportMiB,
          },
        ]
      : []),
    ...(longExport
      ? [
          {
            name: 'export of all rows, and a list beside it',
            figure: `${longExport.peakMiB.toFixed(0)} MiB, ratio ${longExport.ratio.toFixed(2)}`,
            isGood: longExport.peakMiB <= targets.longExportMiB && longExport.ratio <= targets.beside,
          },
        ]
      : []),
    ...(bulk
      ? [
          {
            name: 'bulk renewal',
            figure: `ratio ${bulk.ratio.toFixed(1)}`,
            isGood: bulk.ratio <= targets.bulk,
          },
        ]
      : []),
  ]
}
