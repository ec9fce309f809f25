// npm run bridge: prints on the printers of this desk what pages of the listed offices ask for. `pair` makes a pairing code,
// --origin adds an office to the list.
import { spawn } from 'node:child_process'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { BRIDGE_PROGRAM, PAIRING, PRINT_LANGUAGES } from '#kit/print/bridge/bridge.ts'
import { readConfig } from './config.ts'
import { offerPairing } from './keep.ts'
import { ownAddress, ownKey } from './own-page.ts'
import { type OwnProgram, ownProgram, startInPlace } from './own-program.ts'
import { placeOf } from './places.ts'
import { type Bridge, startBridge } from './server.ts'
import { openUpdating } from './updating.ts'

const USAGE = '用法：bridge [pair] [--origin 后台网址] [--dir 文件夹] [--open] [--version]'

/** Null: something that is not known. */
function argumentsOf(): {
  dir: string
  origin?: string | undefined
  open: boolean
  version: boolean
  pairs: boolean
} | null {
  const options = {
    dir: { type: 'string', default: join(homedir(), '.partner-office-bridge') },
    origin: { type: 'string' },
    /** Opens the program's own page; of a program that runs already, too. A double click starts with it. */
    open: { type: 'boolean', default: false },
    version: { type: 'boolean', default: false },
  } as const
  try {
    const { values, positionals } = parseArgs({ options, allowPositionals: true })
    const [word, ...more] = positionals
    if (more.length > 0 || (word !== undefined && word !== 'pair')) return null
    return { ...values, pairs: word === 'pair' }
  } catch {
    // An option that is not known: the usage says which are.
    return null
  }
}

// Prints on where whoever read the console is gone.
process.stdout.on('error', () => undefined)
const say = (line: string) => void process.stdout.write(`${line}\n`)

function showCode(dir: string): void {
  const code = offerPairing(dir)
  say(`配对码：${code.slice(0, 4)} ${code.slice(4)}（${PAIRING.minutes} 分钟内有效，用一次即失效）`)
}

type Serving = { dir: string; origin?: string | undefined; opens: boolean }
/** Null while the place is given to another version. */
let running: Bridge | null = null

async function serve(serving: Serving): Promise<void> {
  const { dir, origin, opens } = serving
  const config = readConfig(dir, origin)
  const own = ownProgram()
  const bridge = await startBridge({
    ...{ dir, say, config },
    ...(own && {
      updating: desk =>
        openUpdating({
          ...{ ...desk, own },
          handOver: version => handOver(own, dir, version),
          again: () => serve({ dir, opens: false }),
        }),
    }),
  })
  running = bridge
  say(`打印程序已启动：127.0.0.1:${bridge.port}，设置在 ${join(dir, 'config.json')}`)
  say(`打印程序的页面：${bridge.ownAddress}`)
  if (opens) openInBrowser(bridge.ownAddress)
  say(`允许的后台：${config.origins.join('、') || '无，在后台的“打印设置”点“请求配对”'}`)
  for (const target of config.targets)
    say(`打印机：${target.name}，${PRINT_LANGUAGES[target.language]}，${placeOf(target, dir)}`)
  if (!bridge.isPaired()) showCode(dir)
}

/** Ends this process where the other answers at the same place; else comes back with nothing served. */
async function handOver(own: OwnProgram, dir: string, version: string): Promise<void> {
  const bridge = running
  if (!bridge) return
  running = null
  await bridge.stop()
  const address = `http://127.0.0.1:${bridge.port}/own`
  const headers = { authorization: `Bearer ${ownKey(dir)}` }
  const answers = async () => {
    const answer = await fetch(address, { headers }).catch(() => null)
    return answer?.ok === true && ((await answer.json()) as { program: string }).program === version
  }
  if (await startInPlace(own, ['--dir', dir], answers)) process.exit(0)
}

/** As long as the process lives, whichever it serves. */
function listenToPerson(dir: string): void {
  if (process.stdin.isTTY) {
    say('按回车键生成新的配对码')
    process.stdin.on('data', () => showCode(dir))
  }
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.once(signal, () => {
      void Promise.resolve(running?.stop()).then(() => process.exit(0))
    })
}

/** A second double click shows the page of the program that runs. */
async function serveOrShow({ dir, origin, open: opens }: NonNullable<ReturnType<typeof argumentsOf>>) {
  try {
    await serve({ dir, origin, opens })
    listenToPerson(dir)
  } catch (error) {
    if (!opens || (error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error
    openInBrowser(ownAddress(readConfig(dir).port, ownKey(dir)))
  }
}

/** Where no browser can be opened the address stands in what the program says. */
function openInBrowser(address: string): void {
  const [program, ...args] = { win32: ['rundll32', 'url.dll,FileProtocolHandler'], darwin: ['open'] }[
    process.platform as string
  ] ?? ['xdg-open']
  const opened = spawn(program as string, [...args, address], { detached: true, stdio: 'ignore' })
  opened.once('error', error => say(`打不开浏览器：${error.message}`))
  opened.unref()
}

function wordsOf(error: NodeJS.ErrnoException): string {
  return error.code === 'EADDRINUSE'
    ? `${error.message}\n打印程序可能已经在运行；要新的配对码，请运行 bridge pair`
    : error.message
}

async function main(): Promise<void> {
  const asked = argumentsOf()
  if (!asked) throw new Error(USAGE)
  if (asked.version) say(BRIDGE_PROGRAM)
  else if (asked.pairs) showCode(asked.dir)
  else await serveOrShow(asked)
}

main().catch((error: Error) => {
  process.stderr.write(`${wordsOf(error)}\n`)
  process.exitCode = 1
})
