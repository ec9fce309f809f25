// node bench/weight.ts: what a browser loads before the login page and before the first row of the merchant list, gzipped.
import { fileURLToPath } from 'node:url'
import { buildPageIfNeeded } from '../scripts/build-page.ts'
import { BUDGETS, filesOf, kibOf } from '../scripts/page-weight.ts'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const KIB = 1_024

async function main(): Promise<void> {
  const dir = await buildPageIfNeeded(ROOT, line => process.stdout.write(`${line}\n`), { smallest: true })
  const results = Object.entries(BUDGETS).map(([page, { sources, mostKib, mostFiles }]) => {
    const files = filesOf(dir, sources)
    const kib = kibOf(files)
    const code = kibOf(files.filter(({ file }) => file.endsWith('.js')))
    process.stdout.write(
      `${page}: ${kib.toFixed(1)} KiB of code and styles, at most ${mostKib}; ${code.toFixed(1)} of code, ${files.length - 1} files of ${mostFiles}\n`,
    )
    for (const { file, bytes } of files)
      process.stdout.write(`  ${(bytes / KIB).toFixed(1).padStart(7)} ${file}\n`)
    return { page, kib, mostKib, files, mostFiles }
  })
  process.stdout.write(`${JSON.stringify(results)}\n`)
  if (results.some(({ kib, mostKib, files, mostFiles }) => kib > mostKib || files.length - 1 > mostFiles))
    process.exitCode = 1
}

main().catch((error: Error) => {
  process.stderr.write(`${error.message}\n`)
  process.exit(1)
})
