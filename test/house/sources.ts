// The project's own files and what each imports, for the tests that guard its form.
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { fileURLToPath } from 'node:url'
import { featureAt } from '#kit/feature-name.ts'

export const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const ROOMS = [
  'kit',
  'features',
  'server',
  'web',
  'app',
  'providers',
  'bridge',
  'compat',
  'scripts',
  'test',
  'bench',
  'migrations',
]

export type Import = { line: number; specifier: string; isType: boolean; isDynamic: boolean; target: string }
export type Source = { path: string; text: string; imports: Import[] }

const STATEMENT = /^(?:import|export)\s+(type\s+)?(?:[^'"();]*?\sfrom\s+)?['"]([^'"]+)['"]/gm
const DYNAMIC = /\bimport\(\s*(?:\/\*.*?\*\/\s*)?['"]([^'"]+)['"]/g

/** A file of this project as a path from its root, or the name of a package. */
export function targetOf(path: string, specifier: string): string {
  if (specifier.startsWith('#')) return specifier.slice(1)
  if (specifier.startsWith('.')) return normalize(join(dirname(path), specifier))
  return specifier
}

function readSource(path: string): Source {
  const text = readFileSync(join(ROOT, path), 'utf8')
  const lineAt = (index: number) => text.slice(0, index).split('\n').length
  const found = (specifier: string, index: number, isType: boolean, isDynamic: boolean): Import => ({
    line: lineAt(index),
    specifier,
    isType,
    isDynamic,
    target: targetOf(path, specifier),
  })
  return {
    path,
    text,
    imports: [
      ...[...text.matchAll(STATEMENT)].map(match =>
        found(match[2] as string, match.index, match[1] !== undefined, false),
      ),
      ...[...text.matchAll(DYNAMIC)].map(match => found(match[1] as string, match.index, false, true)),
    ],
  }
}

export const SOURCES = globSync(`{${ROOMS.join(',')}}/**/*.{ts,tsx,mjs}`, { cwd: ROOT })
  .sort()
  .map(readSource)
export const isTest = (path: string) =>
  /\.(test|e2e)\.tsx?$/.test(path) || path.startsWith('test/') || /^features\/[a-z/-]+\/walk\.ts$/.test(path)
export const PRODUCT = SOURCES.filter(({ path }) => !isTest(path))
export const room = (path: string) => path.split('/', 1)[0] as string
/** The districts in their order, each with the folders of its features in theirs: read of app/features.ts and of each district.ts. */
export const DISTRICTS: { name: string; features: { name: string; folder: string }[] }[] = [
  ...readFileSync(join(ROOT, 'app/features.ts'), 'utf8').matchAll(/^ {2}\.\.\.([a-zA-Z]+),$/gm),
].map(([, district = '']) => {
  const path = `features/${district}/district.ts`
  const text = readFileSync(join(ROOT, path), 'utf8')
  const folders = new Map(
    [...text.matchAll(/^import \{ feature as (\w+) \} from '([^']+)\/feature\.ts'$/gm)].map(
      ([, name = '', folder = '']) => [name, targetOf(path, folder)],
    ),
  )
  const names = [...text.matchAll(/^ {2}([a-zA-Z]+)(?:: \{\})?,$/gm)].map(([, name = '']) => name)
  return { name: district, features: names.map(name => ({ name, folder: folders.get(name) ?? '' })) }
})
/** Each feature's folder. */
export const FOLDERS: ReadonlySet<string> = new Set(
  globSync('features/**/feature.ts', { cwd: ROOT }).map(path => dirname(path)),
)
/** The feature that a file belongs to, by its name. */
export const featureOf = (path: string) => (FOLDERS.has(dirname(path)) ? featureAt(dirname(path)) : null)
export const fileOf = (path: string) => path.split('/').at(-1) as string
export const isOurs = (target: string) => ROOMS.includes(room(target)) && target.includes('/')

/** Fails with every place that breaks the rule, and what to do instead. */
export function forbid(broken: string[], remedy: string): void {
  assert.ok(broken.length === 0, `${broken.join('\n')}\n${remedy}`)
}

export function brokenImports(
  sources: Source[],
  isWrong: (from: string, imported: Import) => boolean,
): string[] {
  return sources.flatMap(({ path, imports }) =>
    imports
      .filter(imported => isWrong(path, imported))
      .map(({ line, specifier }) => `${path}:${line} imports ${specifier}`),
  )
}
