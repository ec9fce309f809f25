// Programs in place of those of CUPS. What they answer is what CUPS 2.4 answered when it was tried (docs/decisions/0047).
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

export type StandIn = {
  /** How `lpstat` says that a queue stands. */
  put(words: string): void
  /** What came by `lp`, with its words, in order. */
  jobs(): { bytes: Buffer; words: string }[]
  /** The system's own programs are found again. */
  end(): void
}

/** Found before the system's by whatever this process starts. */
export function standInForCups(dir: string): StandIn {
  const programs = join(dir, 'programs')
  const [state, sent] = [join(dir, 'queue-state'), join(dir, 'sent')]
  mkdirSync(programs)
  const program = (name: string, lines: string[]) => {
    writeFileSync(join(programs, name), ['#!/bin/sh', ...lines, ''].join('\n'))
    chmodSync(join(programs, name), 0o755)
  }
  writeFileSync(state, '')
  program('lpstat', [`cat ${state}`])
  program('lp', [
    `mkdir -p ${sent}`,
    `job=${sent}/$(ls ${sent} | wc -l)`,
    'mkdir "$job"',
    `printf '%s\\n' "$@" > "$job/words"`,
    'cat > "$job/bytes"',
  ])
  const { PATH } = process.env
  process.env.PATH = `${programs}:${PATH}`
  return {
    put: words => writeFileSync(state, words),
    jobs: () =>
      (existsSync(sent) ? readdirSync(sent) : [])
        .toSorted((a, b) => Number(a) - Number(b))
        .map(job => ({
          bytes: readFileSync(join(sent, job, 'bytes')),
          words: readFileSync(join(sent, job, 'words'), 'utf8'),
        })),
    end() {
      process.env.PATH = PATH
    },
  }
}
