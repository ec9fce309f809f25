// What an answer of the service that keeps shops' own data may hold: nothing of it is believed to have the form it should.
import {
  GOODS_LIMITS,
  GOODS_PRICES,
  GOODS_TEXTS,
  type PosGood,
  type PosGoodsPage,
  type PosGoodsQuery,
} from '#kit/ports/pos-service.ts'
import { ProviderUnreadable } from '#kit/ports/providers.ts'
import { type Members, membersOf } from '../read.ts'

export function unreadable(name: string, what = ''): ProviderUnreadable {
  return new ProviderUnreadable(`${name} answered in another form than described${what && `: ${what}`}`)
}

export function readCount(name: string, value: unknown): number {
  if (!Number.isSafeInteger(value) || (value as number) < 0) throw unreadable(name)
  return value as number
}

/** A page is as it was asked for: no longer, each of its goods once, and with a next one that is another. */
export function readGoods({ goods, total, categories, next }: Members, asked: PosGoodsQuery): PosGoodsPage {
  const rows = listOf(goods, 'goods', asked.size).map(one => readGood(membersOf(one)))
  if (new Set(rows.map(({ id }) => id)).size < rows.length) throw unreadable('goods', 'one of them twice')
  const after = next === null ? null : textWithin(next, GOODS_LIMITS.cursor, 'next')
  if (after !== null && (after === asked.after || rows.length === 0)) throw unreadable('goods', 'next')
  const named = listOf(categories, 'categories', GOODS_LIMITS.categories)
  return {
    goods: rows,
    total: readCount('goods', total),
    categories: [...new Set(named.map(one => textWithin(one, GOODS_LIMITS.category, 'categories')))],
    next: after,
  }
}

function readGood({ id, texts, prices, memberPrices }: Members): PosGood {
  const good = {
    id: textWithin(id, GOODS_LIMITS.id, 'id'),
    texts: chosen(objectOf(texts, 'texts'), GOODS_TEXTS, readText),
    prices: chosen(objectOf(prices, 'prices'), GOODS_PRICES, readFen),
    memberPrices: levelsOf(objectOf(memberPrices, 'memberPrices')),
  }
  if (good.texts.productName === undefined) throw unreadable('goods', 'productName')
  return good
}

/** Of what we know, what is there; of what we do not, nothing. */
function chosen<V>(
  members: Members,
  keys: readonly string[],
  read: (value: unknown, key: string) => V | null,
): Record<string, V> {
  const found: Record<string, V> = {}
  for (const key of keys) {
    const value = Object.hasOwn(members, key) ? read(members[key], key) : null
    if (value !== null) found[key] = value
  }
  return found
}

function levelsOf(members: Members): Record<string, number> {
  const levels = Object.keys(members)
  const isWrong = levels.some(level => level.trim() === '' || level.length > GOODS_LIMITS.level)
  if (isWrong || levels.length > GOODS_LIMITS.levels) throw unreadable('goods', 'memberPrices')
  return chosen(members, levels, readFen)
}

/** Absent, null and empty are alike: the shop has entered nothing. */
function readText(value: unknown, key: string): string | null {
  if (value === null || value === undefined || (typeof value === 'string' && value.trim() === '')) return null
  return textWithin(value, GOODS_LIMITS.text, key)
}

function readFen(value: unknown, key: string): number | null {
  if (value === null || value === undefined) return null
  const isFen = Number.isSafeInteger(value) && (value as number) >= 0 && (value as number) <= GOODS_LIMITS.fen
  if (!isFen) throw unreadable('goods', key)
  return value as number
}

function textWithin(value: unknown, most: number, what: string): string {
  if (typeof value !== 'string' || value.trim() === '' || value.length > most) throw unreadable('goods', what)
  return value
}

function listOf(value: unknown, what: string, most: number): unknown[] {
  if (!Array.isArray(value) || value.length > most) throw unreadable('goods', what)
  return value
}

function objectOf(value: unknown, what: string): Members {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw unreadable('goods', what)
  return value as Members
}
