// npm run bridge: prints on the printers of this desk what pages of the listed offices ask for. `pair` makes a pairing code,
// --origin adds an office to the list.
import { homedir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { PAIRING, PRINT_LANGUAGES } from '#kit/print/bridge/bridge.ts'
import { readConfig, type TargetSettings } from './config.ts'
import { offerPairing } from './keep.ts'
import { startBridge } from './server.ts'

const USAGE = '用法：bridge [pair] [--origin 后台网址] [--dir 文件夹]'

/** Null: something that is not known. */
function argumentsOf(): { dir: string; origin?: string | undefined; pairs: boolean } | null {
  const options = {
    dir: { type: 'string', default: join(homedir(), '.partner-office-bridge') },
    origin: { type: 'string' },
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

async function serve(dir: string, origin: string | undefined): Promise<void> {
  const config = readConfig(dir, origin)
  const bridge = await startBridge({ dir, say, config })
  say(`打印程序已启动：127.0.0.1:${bridge.port}，设置在 ${join(dir, 'config.json')}`)
  say(`允许的后台：${config.origins.join('、') || '无，用 --origin 后台网址 添加'}`)
  for (const target of config.targets)
    say(`打印机：${target.name}，${PRINT_LANGUAGES[target.language]}，${placeOf(target, dir)}`)
  if (!bridge.isPaired()) showCode(dir)
  if (process.stdin.isTTY) {
    say('按回车键生成新的配对码')
    process.stdin.on('data', () => showCode(dir))
  }
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.once(signal, () => {
      void bridge.stop().then(() => process.exit(0))
    })
}

function placeOf(target: TargetSettings, dir: string): string {
  if (target.way === 'file') return resolve(dir, target.folder)
  if (target.way === 'tcp') return `${target.host}:${target.port}`
  return target.way === 'cups' ? `CUPS ${target.queue}` : target.device
}

function wordsOf(error: NodeJS.ErrnoException): string {
  return error.code === 'EADDRINUSE'
    ? `${error.message}\n打印程序可能已经在运行；要新的配对码，请运行 bridge pair`
    : error.message
}

try {
  const asked = argumentsOf()
  if (!asked) throw new Error(USAGE)
  if (asked.pairs) showCode(asked.dir)
  else await serve(asked.dir, asked.origin)
} catch (error) {
  process.stderr.write(`${wordsOf(error as Error)}\n`)
  process.exitCode = 1
}
