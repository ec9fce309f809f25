// Where in a tree a seeded fault is put.
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { SeededFault } from './faults.ts'

/** Files in which faults are put, from the root. */
export const sourcesOf = (root: string) =>
  globSync('{app,features,kit,migrations/again,providers,server,web}/**/*', { cwd: root })

/** The fault's file, from the root, and what stands in it. Throws an Error where the fault has no place, or more than one. */
export function placeOf(
  { name, file, from }: Pick<SeededFault, 'name' | 'file' | 'from'>,
  root: string,
  sources = sourcesOf(root),
): { path: string; text: string } {
  const [path, ...others] = sources.filter(each => each === file || each.endsWith(`/${file}`))
  if (!path || others.length > 0) throw new Error(`${name}: ${file} is not the end of one file's path`)
  const text = readFileSync(join(root, path), 'utf8')
  const places = text.split(from).length - 1
  if (places !== 1) throw new Error(`${name}: its text stands in ${path} ${places} times`)
  return { path, text }
}
