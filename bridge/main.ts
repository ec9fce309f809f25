// npm run bridge: prints on the printers of this desk what pages of the listed offices ask for. `pair` makes a pairing code,
// --origin adds an office to the list.
import { homedir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { PAIRING } from '#kit/print/bridge/bridge.ts'
import { readConfig } from './config.ts'
import { offerPairing } from './keep.ts'
import { startBridge } from './server.ts'

const { values, positionals } = parseArgs({
  options: {
    dir: { type: 'string', default: join(homedir(), '.partner-office-bridge') },
    origin: { type: 'string' },
  },
  allowPositionals: true,
})
const { dir } = values
// Prints on where whoever read the console is gone.
process.stdout.on('error', () => undefined)
const say = (line: string) => void process.stdout.write(`${line}\n`)

function showCode(): void {
  const code = offerPairing(dir)
  say(`配对码：${code.slice(0, 4)} ${code.slice(4)}（${PAIRING.minutes} 分钟内有效，用一次即失效）`)
}

async function serve(): Promise<void> {
  const bridge = await startBridge({ dir, say, config: readConfig(dir, values.origin) })
  say(`打印程序已启动：127.0.0.1:${bridge.port}，设置在 ${join(dir, 'config.json')}`)
  if (!bridge.isPaired()) showCode()
  if (process.stdin.isTTY) {
    say('按回车键生成新的配对码')
    process.stdin.on('data', showCode)
  }
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.once(signal, () => {
      void bridge.stop().then(() => process.exit(0))
    })
}

try {
  if (positionals[0] === 'pair') showCode()
  else if (positionals.length > 0) throw new Error('用法：bridge [pair] [--origin 后台网址] [--dir 文件夹]')
  else await serve()
} catch (error) {
  process.stderr.write(`${(error as Error).message}\n`)
  process.exitCode = 1
}
