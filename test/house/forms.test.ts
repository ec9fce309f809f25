// What a field is called and how much of it is allowed is said in fields.ts and rules.ts: no page and no message says it again.
import assert from 'node:assert/strict'
import { globSync } from 'node:fs'
import test from 'node:test'
import { DECLARED } from './declared.ts'
import { featureOf, forbid, PRODUCT } from './sources.ts'

const LABEL = /(?<![-\w])label="([^"]+)"/g

test('a page reads the label of a field where the field is declared', () => {
  const labels = new Map<string, Set<string>>()
  for (const { feature, fields } of DECLARED)
    for (const { label, control } of Object.values(fields)) {
      const known = labels.get(feature) ?? new Set()
      labels.set(feature, known.add(label).add(control?.label ?? label))
    }
  const repeated = PRODUCT.filter(({ path }) => path.endsWith('.tsx')).flatMap(({ path, text }) => {
    const known = labels.get(featureOf(path) ?? '')
    return [...text.matchAll(LABEL)].flatMap(([, label = '']) =>
      known?.has(label) ? `${path} ${label}` : [],
    )
  })
  assert.ok(labels.size > 30)
  forbid(repeated, 'Make the form of its fields, or read the label: FIELDS.name.label.')
})

/** `// No limit: …` over it says why its number is none of a field. */
const MESSAGE = /^( *\/\/ No limit: .+\n)?(?:.*\{)?\s+([A-Z]+(?:_[A-Z0-9]+)+): '([^'\n]*)'(?:,| \}.*)?$/gm
/** A number of its own: in an example, a name or a unit it is none. */
const NUMBER = /(?<![\dA-Za-z.\-/])\d[\d,.]*(?![\dA-Za-z\-/])/g

test('a message says a limit by its name, so that it changes with it', () => {
  const found = globSync('features/**/rules*.ts').filter(path => !path.includes('.test.'))
  const messages = PRODUCT.filter(({ path }) => found.includes(path)).flatMap(({ path, text }) =>
    [...text.matchAll(MESSAGE)].map(([, reason, code, words = '']) => ({
      place: `${path} ${code}`,
      isSaid: reason !== undefined,
      spells: (words.match(NUMBER) ?? []).some(number => Number(number.replaceAll(',', '')) > 1),
    })),
  )
  assert.ok(found.length > 40)
  forbid(
    messages.filter(({ isSaid, spells }) => spells && !isSaid).map(({ place }) => place),
    'Put the limit among LIMITS and its name into the message, or say over it `// No limit: …`.',
  )
  forbid(
    messages.filter(({ isSaid, spells }) => isSaid && !spells).map(({ place }) => place),
    'It spells no number: take the comment away.',
  )
})

/** What no field declares says why over where it begins, as docs/decisions/0055 allows. */
const BY_HAND = /^(.*)\n.*\buseForm[<(]/gm
const SAYS_WHY = /^ *\/\/ No fields: \S.{19,}$/m

test('a form is made of its fields, or says why it is none', () => {
  const pages = PRODUCT.filter(({ path }) => path.startsWith('features/') && path.endsWith('.tsx'))
  const byHand = pages.flatMap(({ path, text }) =>
    [...text.matchAll(BY_HAND)].map(([, over = '']) => ({ path, over })),
  )
  const bare = pages.filter(
    ({ text }) => text.includes('<FormElement') && !/\buseForm(Of)?[<(]/.test(text) && !SAYS_WHY.test(text),
  )
  assert.ok(byHand.length > 10)
  forbid(
    [...byHand.filter(({ over }) => !SAYS_WHY.test(over)), ...bare].map(({ path }) => path),
    'Use `<Form of>`, `<FormDialog of>` or `useFormOf`, or say over it `// No fields: …` (docs/decisions/0055).',
  )
  forbid(
    pages.filter(({ text }) => text.includes('<form')).map(({ path }) => path),
    'The form element of the product is FormElement.',
  )
})
