// docs/GLOSSARY.md names everything that has a name, and nothing that has none: tables, columns and fields both ways.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import test from 'node:test'
import { getTableColumns } from 'drizzle-orm'
import { DECLARED } from './declared.ts'
import { featureOf, forbid, isTest, ROOT, SOURCES } from './sources.ts'
import { TABLES } from './statements.ts'

const WORD = /[A-Za-z_][\w-]*/g

/** What stands in backticks in the middle of its rows, with their lines. */
const NAMED = readFileSync(join(ROOT, 'docs/GLOSSARY.md'), 'utf8')
  .split('\n')
  .flatMap((line, index) => {
    const [, ours = ''] = line.split(' | ')
    return [...ours.matchAll(/`([^`]+)`/g)].flatMap(([, span = '']) =>
      (span.match(WORD) ?? []).map(name => ({ name, line: index + 1 })),
    )
  })
const names = new Set(NAMED.map(({ name }) => name))

test('every table and every column stands in the glossary', () => {
  const missing = TABLES.flatMap(({ name, owner, columns }) =>
    [name, ...Object.keys(getTableColumns(columns))]
      .filter(word => !names.has(word))
      .map(word => `${owner} ${name === word ? name : `${name}.${word}`}`),
  )
  forbid(missing, 'Give it a row in docs/GLOSSARY.md: Chinese, ours, what the documents call it.')
})

test('every field of a list or a form stands in the glossary', () => {
  const missing = DECLARED.flatMap(({ feature, fields }) =>
    Object.entries(fields).flatMap(([key, { label }]) =>
      names.has(key) ? [] : `${feature} ${key} ${label}`,
    ),
  )
  forbid(
    [...new Set(missing)],
    'Give it a row in docs/GLOSSARY.md: Chinese, ours, what the documents call it.',
  )
})

test('every name of the glossary is one of the code', () => {
  const code = SOURCES.filter(
    ({ path }) => !isTest(path) && (featureOf(path) !== null || /^(kit|server|web)\//.test(path)),
  )
  const words = new Set(code.flatMap(({ text }) => text.match(WORD) ?? []))
  assert.ok(names.size > 300)
  forbid(
    NAMED.filter(({ name }) => !words.has(name)).map(({ name, line }) => `docs/GLOSSARY.md:${line} ${name}`),
    'Call it as the code does, or take it out.',
  )
})
