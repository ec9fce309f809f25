// npm run faults -- seeded: puts each fault of faults.ts into a copy and runs the tests that it can reach, the nearest first, until one
// fails. Prints a line for each fault and the figures; exits 1 where one was found by nothing.
//   --only TEXT    those of this kind, or whose name holds it       --within N   seconds for each (600)
//   --keep         writes found.json: which file found each, where it is looked for first
//   --tree FOLDER  another checkout, whose own tests are run: what an older suite finds of the same faults
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { keepOutput, ROOT } from '#scripts/checks.ts'
import { FAULT_KINDS, FAULTS, type SeededFault } from './faults.ts'
import type { Found } from './find.ts'
import { placeOf } from './place.ts'

const LEFT_OUT = /^(node_modules|dist|data|\.git)(\/|$)/
/** Laid over another tree, which may not have them. */
const OVERLAID = ['test/seeded', 'test/runner/reach.ts']

const { values } = parseArgs({
  args: process.argv.slice(3),
  options: {
    only: { type: 'string', default: '' },
    within: { type: 'string', default: '600' },
    keep: { type: 'boolean', default: false },
    tree: { type: 'string', default: ROOT },
  },
})
const isKind = FAULT_KINDS.some(kind => kind === values.only)
const wanted = FAULTS.filter(({ name, kind }) => (isKind ? kind === values.only : name.includes(values.only)))
if (wanted.length === 0) throw new Error(`No fault is called "${values.only}".`)

const FINDERS = join(ROOT, 'test/seeded/found.json')
/** The file that found a fault last, by the fault's name. */
const finders = JSON.parse(readFileSync(FINDERS, 'utf8')) as Record<string, string>
const copy = mkdtempSync(join(tmpdir(), 'partner-office-seeded-'))
const unfound: string[] = []
const began = performance.now()
try {
  cpSync(values.tree, copy, {
    recursive: true,
    filter: path => !LEFT_OUT.test(path.slice(values.tree.length).replace(/^\//, '')),
  })
  for (const path of OVERLAID) cpSync(join(ROOT, path), join(copy, path), { recursive: true })
  symlinkSync(join(values.tree, 'node_modules'), join(copy, 'node_modules'))
  for (const fault of wanted) {
    const found = await find(fault)
    if (found === null) {
      unfound.push(fault.name)
      continue
    }
    const mark = found.by === null ? 'NOT FOUND' : 'found'
    const how = found.by ?? `by ${found.files} files`
    process.stdout.write(
      `${mark} ${found.seconds.toFixed(0).padStart(4)} s  ${fault.kind}: ${fault.name} (${how})\n`,
    )
    if (found.by === null) unfound.push(fault.name)
    else finders[fault.name] = found.by.split(': ', 1)[0] ?? ''
  }
  if (values.keep) keepFinders()
} finally {
  rmSync(copy, { recursive: true, force: true, maxRetries: 5 })
}
process.stdout.write(
  `\nseeded faults=${wanted.length} found=${wanted.length - unfound.length} seconds=${Math.round((performance.now() - began) / 1_000)}\n`,
)
process.exitCode = unfound.length > 0 ? 1 : 0

/** In the order of the faults, and without those that are gone. */
function keepFinders(): void {
  const known = FAULTS.flatMap(({ name }) => (finders[name] ? [[name, finders[name]] as const] : []))
  writeFileSync(FINDERS, `${JSON.stringify(Object.fromEntries(known), null, 2)}\n`)
}

/** Null, once its output is told, where the tests themselves could not be run. */
async function find(fault: SeededFault): Promise<Found | null> {
  const { name, from, to } = fault
  const { path, text } = placeOf(fault, copy)
  writeFileSync(
    join(copy, path),
    text.replace(from, () => to),
  )
  try {
    const program = [join(copy, 'test/seeded/find.ts'), path, values.within, finders[name] ?? '']
    const { output } = await keepOutput(process.execPath, program, process.env, copy)
    // A program that a test had started may say its last word behind it.
    const last = output.split('\n').findLast(line => line.startsWith('{"by":'))
    if (last) return JSON.parse(last) as Found
    process.stdout.write(`NOT RUN  ${fault.kind}: ${name}\n${output}\n`)
    return null
  } finally {
    writeFileSync(join(copy, path), text)
  }
}
