import { and, isNull, or, sql } from 'drizzle-orm'
import { formatCents } from '#kit/money.ts'
import type { ConfiguredTable } from '#server/ctx.ts'
import { type Feature, rowsOf } from '#server/feature.ts'
import type { FileRow, NameIn } from '#server/office/reference-tables.ts'
import { BOOKS, type Book, FIRSTS, PACK, PARTS, PRICE_KINDS, RECHARGE_ITEM } from './rules.ts'
import { LEVEL_DISCOUNTS } from './server-first.ts'
import { setup } from './server-setup.ts'
import { discounts, priceCampaigns, prices } from './tables.ts'

/** Who wrote a row down stays behind; it holds in the other office from the moment that it names. */
const WRITTEN = { id: undefined, createdBy: 0, createdByName: '导入', createdAt: sql`now()` }
const WITHDRAWN = { withdrawnAt: null, withdrawnByName: '' }

/** The tables of a configuration file that have the items of a book. */
const ITEMS_OF: Record<Book, string> = {
  version: 'versions',
  service: 'services',
  sms: 'sms-packages',
  hardware: 'hardware',
  recharge: 'recharge-packages',
}
const bookOf = ({ book }: FileRow) => BOOKS[book as Book] ?? String(book)
const partOf = ({ book, part }: FileRow) =>
  (PARTS[book as Book] as Record<string, string> | undefined)?.[String(part)] ?? String(part)
function itemName({ book, item }: FileRow, nameIn: NameIn): string {
  if (book === 'recharge' && item === RECHARGE_ITEM) return '代币与短信'
  return nameIn(ITEMS_OF[book as Book] ?? '', item)
}
const shareText = (share: unknown) => `${Number(share) / 1_000} 折`
const told = (column: string, value: unknown) => {
  if (value === null) return null
  if (column === 'cents') return formatCents(Number(value))
  return column === 'basisPoints' ? shareText(value) : null
}
const flawOfShare = ({ basisPoints }: FileRow) =>
  basisPoints !== null && Number(basisPoints) > 10_000 ? '折扣不能超过 10 折' : null

const LABELS = { book: '价格册', cents: '价格', basisPoints: '折扣' }

const CONFIGURED: readonly ConfiguredTable[] = [
  {
    key: 'prices',
    title: '价格',
    table: prices,
    id: [prices.book, prices.item, prices.part, prices.kind, prices.startsAt],
    named: (row, nameIn) =>
      `${bookOf(row)} ${itemName(row, nameIn)} ${partOf(row)}${PRICE_KINDS[row.kind as 'list'] ?? row.kind}`,
    labels: { ...LABELS, item: '项目', part: '计价单位' },
    textOf: told,
    leaves: { ...WRITTEN, ...WITHDRAWN },
    words: { book: Object.keys(BOOKS), kind: Object.keys(PRICE_KINDS) },
    flawOf: ({ book, part }) => (String(part) in PARTS[book as Book] ? null : `part：${String(part)}`),
    carried: isNull(prices.withdrawnAt),
    left: '已被取代的历史价格不随文件带出',
    dated: { line: ['book', 'item', 'part', 'kind'], value: ['cents'] },
  },
  {
    key: 'discounts',
    title: '等级折扣',
    table: discounts,
    id: [discounts.levelId, discounts.book, discounts.startsAt],
    named: (row, nameIn) =>
      `${nameIn('agent-levels', row.levelId)}${row.book === null ? '' : ` ${bookOf(row)}`}`,
    labels: { ...LABELS, levelId: '等级' },
    textOf: told,
    leaves: { ...WRITTEN, ...WITHDRAWN, agentId: null },
    words: { book: Object.keys(BOOKS) },
    flawOf: row => (row.levelId === null ? '缺少等级' : flawOfShare(row)),
    carried: and(isNull(discounts.withdrawnAt), isNull(discounts.agentId)),
    left: '代理商的专属折扣不随文件带出',
    dated: { line: ['levelId', 'book'], value: ['basisPoints'] },
  },
  {
    key: 'price-campaigns',
    title: '促销',
    table: priceCampaigns,
    // Two may have the same name and begin at once.
    id: [
      priceCampaigns.name,
      priceCampaigns.book,
      priceCampaigns.startsAt,
      priceCampaigns.items,
      priceCampaigns.part,
      priceCampaigns.levelIds,
      priceCampaigns.basisPoints,
      priceCampaigns.cents,
      priceCampaigns.bonusBasisPoints,
      priceCampaigns.bonusPieces,
      priceCampaigns.firstOf,
      priceCampaigns.endsAt,
    ],
    named: row => `${String(row.name)}（${bookOf(row)}）`,
    labels: {
      ...LABELS,
      items: '适用项目',
      part: '计价单位',
      levelIds: '适用等级',
      bonusBasisPoints: '加赠',
      bonusPieces: '加赠条数',
      firstOf: '首购',
    },
    textOf: told,
    leaves: { ...WRITTEN, agentIds: null, endedAt: null, endedByName: '' },
    words: { book: Object.keys(BOOKS), firstOf: Object.keys(FIRSTS) },
    flawOf: row => {
      const gives = [row.basisPoints, row.cents, row.bonusBasisPoints, row.bonusPieces]
      if (gives.filter(value => value !== null).length !== 1) return '折扣、一口价、加赠和加赠条数须填其一'
      const isPacks = row.book === 'recharge' && row.part === PACK
      return row.bonusPieces === null || isPacks ? flawOfShare(row) : '加赠条数只用于充值套餐'
    },
    carried: and(
      isNull(priceCampaigns.agentIds),
      isNull(priceCampaigns.endedAt),
      or(isNull(priceCampaigns.endsAt), sql`${priceCampaigns.endsAt} > now()`),
    ),
    left: '限定代理商的和已结束的促销不随文件带出',
    dated: {
      line: [
        'name',
        'book',
        'items',
        'part',
        'levelIds',
        'basisPoints',
        'cents',
        'bonusBasisPoints',
        'bonusPieces',
        'firstOf',
        'endsAt',
      ],
      value: [],
    },
  },
]

export const feature = {
  setup,
  reference: [rowsOf(discounts, LEVEL_DISCOUNTS)],
  configured: CONFIGURED,
} satisfies Feature
