// A program in place of PowerShell, which does with the bytes and the values of a script what Windows' own would hand to its spooler.
import { chmodSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { POWERSHELL } from '#bridge/spooler.ts'

/** `bare` is the script without what stands in it as base64; `bytes` are of the file that it names. */
export type SpoolerCall = {
  args: string[]
  bare: string
  given: Record<string, string>
  bytes: Buffer | null
}
export type SpoolerStandIn = {
  calls(): SpoolerCall[]
  /** How each further call ends: with this code, and these words on its error output. */
  fails(code: number, words: string): void
  /** Each further call goes on until it is ended. */
  hangs(): void
  works(): void
  /** The system's own program is found again. */
  end(): void
}

const PROGRAM = (node: string, dir: string) => `#!${node}
const { existsSync, readFileSync, readdirSync, writeFileSync, renameSync } = require('node:fs')
const dir = ${JSON.stringify(dir)}
const args = process.argv.slice(2)
const script = Buffer.from(args.at(-1), 'base64').toString('utf16le')
const given = {}
const one = /^\\$(\\w+) = \\[Text\\.Encoding\\]::UTF8\\.GetString\\(\\[Convert\\]::FromBase64String\\('([A-Za-z0-9+/=]*)'\\)\\)$/gm
for (const [, name, text] of script.matchAll(one)) given[name] = Buffer.from(text, 'base64').toString('utf8')
const bytes = given.file === undefined ? null : readFileSync(given.file).toString('base64')
const told = JSON.stringify({ args, bare: script.replace(one, '$$$1'), given, bytes })
writeFileSync(dir + '/part', told)
renameSync(dir + '/part', dir + '/call-' + readdirSync(dir).filter(name => name.startsWith('call-')).length)
const manner = existsSync(dir + '/manner') ? JSON.parse(readFileSync(dir + '/manner', 'utf8')) : {}
if (manner.hangs) setInterval(() => undefined, 1000)
else {
  process.stderr.write(manner.words ?? '')
  process.exitCode = manner.code ?? 0
}
`

/** Found before the system's by whatever this process starts. */
export function standInForSpooler(dir: string): SpoolerStandIn {
  const [programs, kept] = [join(dir, 'windows'), join(dir, 'windows-calls')]
  mkdirSync(programs)
  mkdirSync(kept)
  writeFileSync(join(programs, POWERSHELL), PROGRAM(process.execPath, kept))
  chmodSync(join(programs, POWERSHELL), 0o755)
  const { PATH } = process.env
  process.env.PATH = `${programs}${delimiter}${PATH}`
  const put = (manner: object) => writeFileSync(join(kept, 'manner'), JSON.stringify(manner))
  return {
    calls: () =>
      readdirSync(kept)
        .filter(name => name.startsWith('call-'))
        .toSorted((a, b) => Number(a.slice(5)) - Number(b.slice(5)))
        .map(name => JSON.parse(readFileSync(join(kept, name), 'utf8')))
        .map(({ bytes, ...call }) => ({
          ...call,
          bytes: bytes === null ? null : Buffer.from(bytes, 'base64'),
        })),
    fails: (code, words) => put({ code, words }),
    hangs: () => put({ hangs: true }),
    works: () => put({}),
    end() {
      process.env.PATH = PATH
    },
  }
}
