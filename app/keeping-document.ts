// docs/KEEPING.md, made of what is declared.
import { type Cleared, partsOf, type Term } from '#server/keeping.ts'
import { CLEARED, GROWING, STAYING } from './keeping.ts'

const YEARS: Record<ReturnType<typeof partsOf>['unit'], number> = {
  seconds: 1 / 31_536_000,
  minutes: 1 / 525_600,
  hours: 1 / 8_760,
  days: 1 / 365,
  months: 1 / 12,
}
/** What is kept for ever is counted after so long. */
const LOOKED_AT_YEARS = 10
const MANY_ROWS = 10_000_000
const GIB = 1024 ** 3

function inWords(term: Term | undefined): string {
  if (!term) return 'at that moment'
  const { unit, count, setting } = partsOf(term)
  return `${count} ${count === 1 ? unit.slice(0, -1) : unit}${setting ? `, the operator’s (${setting.label}, ${setting.min} at least)` : ''}`
}

const yearsOf = (term: Term): number => {
  const { unit, count } = partsOf(term)
  return count * YEARS[unit]
}

function deedOf({ job, empties, oldestBy }: Cleared): string {
  if (job) return `by \`${job}\``
  if (empties) return `${empties.map(column => `\`${column}\``).join(', ')} emptied in steps`
  return oldestBy ? `in steps, the lowest \`${oldestBy}\` first` : 'in steps'
}

const cleared = CLEARED.map(
  one =>
    `| \`${one.table}\`${one.only ? ` where ${one.only}` : ''} | \`${one.at}\` | ${inWords(one.after)} | ${deedOf(one)} |`,
)

const staying = STAYING.map(
  ({ title, why, tables }) => `**${title}**, ${why}: ${tables.map(table => `\`${table}\``).join(' ')}.`,
)

const number = (count: number) => Math.round(count).toLocaleString('en-US')
const size = (bytes: number) => `${(bytes / GIB).toFixed(1)} GiB`

const growing = GROWING.map(({ table, aYear, bytes, only }) => {
  const ending = CLEARED.find(one => one.table === table && one.only === only)
  const years = ending?.after ? yearsOf(ending.after) : LOOKED_AT_YEARS
  const rows = aYear * years
  return [
    `| \`${table}\`${only ? ` where ${only}` : ''}`,
    number(aYear),
    bytes,
    ending ? inWords(ending.after) : `for ever; after ${LOOKED_AT_YEARS} years`,
    `${number(rows)}${rows > MANY_ROWS ? ' **(many)**' : ''}`,
    `${size(rows * bytes)} |`,
  ].join(' | ')
})

export const keepingDocument = () => `# How long rows are kept

Made of \`app/keeping.ts\` and \`clearing\` of the features by \`npm run keeping:document\`; a test compares, and finds a table that is not told of.
What is known of people stands in \`docs/PRIVACY.md\`, and why it is so in \`docs/decisions/0092-data-for-ever.md\`.

## What goes

Every hour, 5,000 rows to a transaction at most, with a rest as long as it took; rows that somebody has locked wait for another hour. Of one table at
most a million rows go in an hour.

| rows of | their age is told by | and they go after | how |
|---|---|---|---|
${cleared.join('\n')}

## What stays

${staying.join('\n\n')}

## How many rows that is

Of the office of \`docs/CAPACITY.md\`: 1,000,000 shops, 2,000,000 purchases a year, 200 agencies with 2,000 people, four messages a year to each shop, of
which shops and agencies pay half. Bytes of a row are with its indexes, as measured in the seeded database. **(many)**: above 10,000,000 rows.

| table | rows a year | bytes of one | kept | rows then | disk then |
|---|---|---|---|---|---|
${growing.join('\n')}

The operation log is partitioned by month, and its months leave it as archives (\`npm run log:search\`). What else is above 10,000,000 rows is never deleted, and \`docs/decisions/0092-data-for-ever.md\` says why it
is one table each.
`
