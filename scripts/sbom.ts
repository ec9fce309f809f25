// What the program is made of, as CycloneDX: each package with version, licence and checksum. npm writes it, from what is installed.
import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { basename } from 'node:path'

const MOST_BYTES = 64 * 1_048_576

/** Writes it to `file`. Packages of development are among them, since the server's bundle holds some of those. */
export function writeSbom(root: string, file: string): void {
  const running = process.env.npm_execpath ?? ''
  const [program, before] = basename(running) === 'npm-cli.js' ? [process.execPath, [running]] : ['npm', []]
  const asked = ['sbom', '--sbom-format=cyclonedx', '--sbom-type=application', '--loglevel=error']
  const { status, stdout, stderr, error } = spawnSync(program, [...before, ...asked], {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: MOST_BYTES,
  })
  if (status !== 0) throw new Error(`npm sbom failed: ${error?.message ?? stderr}`)
  writeFileSync(file, stdout)
}
