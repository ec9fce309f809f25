// What lines are checked against: whose shops they become, what that agency may sell, who works there.
import { and, eq } from 'drizzle-orm'
import { accounts } from '#features/office/access/tables.ts'
import type { AccountFormat } from '#features/office/agents/rules.ts'
import { agents } from '#features/office/agents/tables.ts'
import type { Divisions } from '#features/office/regions/divisions.ts'
import { regionsOf } from '#features/office/regions/server.ts'
import { refuseOnAdd } from '#features/sales/selling/server-add.ts'
import { industries } from '#features/shops/merchants/tables.ts'
import type { PricedVersion, VersionRefusal } from '#features/shops/versions/rules.ts'
import { isSoldBy, pricedVersion } from '#features/shops/versions/server.ts'
import { versions } from '#features/shops/versions/tables.ts'
import { isOffered } from '#kit/declare/reference.ts'
import { formatDay } from '#kit/time.ts'
import type { Ctx } from '#server/ctx.ts'
import { found } from '#server/refuse.ts'
import type { ImportMode } from './rules.ts'

export type KnownVersion = PricedVersion & { id: number; name: string; refusal: VersionRefusal | null }

export type Facts = {
  mode: ImportMode
  format: AccountFormat
  versions: ReadonlyMap<string, KnownVersion>
  industries: ReadonlyMap<string, number>
  districts: Districts
  managers: ReadonlyMap<string, number>
  /** Whose every shop becomes where none is named: who sees its own shops alone keeps what it adds. */
  manager: number | null
  /** YYYY-MM-DD. */
  today: string
}

/** Names are compared without blanks around, in small letters. */
export const nameKey = (text: string) => text.trim().toLowerCase()

export async function factsOf(ctx: Ctx, of: { agentId: number; mode: ImportMode }): Promise<Facts> {
  const sold = await ctx.db
    .select({ version: pricedVersion(), authorised: isSoldBy(of.agentId) })
    .from(versions)
    .orderBy(versions.position)
  const kinds = await ctx.db.select().from(industries)
  const people = await ctx.db
    .select({ id: accounts.id, name: accounts.name })
    .from(accounts)
    .where(and(eq(accounts.agentId, of.agentId), accounts.enabled))
  const [agent] = await ctx.db
    .select({ format: agents.accountFormat })
    .from(agents)
    .where(eq(agents.id, of.agentId))
  const { actor } = ctx
  const ownAlone = actor.seesOwnShops
  const now = ctx.now.getTime()
  const offered = kinds.filter(({ retiredAt }) => isOffered(retiredAt, now))
  const seen = ownAlone ? people.filter(({ id }) => id === actor.accountId) : people
  return {
    mode: of.mode,
    format: found(agent).format,
    versions: new Map(
      sold.map(({ version, authorised }) => [
        nameKey(version.name),
        { ...version, refusal: of.mode === 'takeover' ? null : refuseOnAdd({ version, authorised }) },
      ]),
    ),
    industries: new Map(offered.map(({ id, name }) => [nameKey(name), id])),
    districts: districtsOf(await regionsOf(ctx)),
    managers: new Map(seen.map(({ id, name }) => [nameKey(name), id])),
    manager: ownAlone ? actor.accountId : null,
    today: formatDay(ctx.now),
  }
}

export type Districts = {
  /** By a whole way of writing it: 广东省深圳市南山区, 北京市朝阳区. */
  exact(text: string): string | null
  /** By a short way: 广东深圳南山. Null where several are called so. */
  loose(text: string): string | null
  /** The district that an address begins with, and what follows it. */
  ofAddress(address: string): PlaceFound | null
  /** The city without districts that three columns name, and what stands there as its district. */
  ofUndivided(text: string): PlaceFound | null
  /** How its three names are written. */
  namesOf(code: string): { province: string; city: string; district: string }
  provinceNames: ReadonlySet<string>
  cityNames: ReadonlySet<string>
  districtNames: ReadonlySet<string>
}

/** Of a city without districts what is written as one is a part of the address: 虎门镇. */
export type PlaceFound = { code: string; rest: string }

const BETWEEN = /[\s/\\\-—>、,，.·]+/g
const UNWRITTEN = /^(市辖区|县|省直辖县级行政区划|自治区直辖县级行政区划)$/
const PEOPLES =
  /(?<!内)(壮族|回族|维吾尔|土家族|苗族|布依族|侗族|瑶族|白族|傣族|彝族|藏族|羌族|哈尼族|景颇族|傈僳族|蒙古族?|哈萨克|朝鲜族|满族|黎族|畲族|仫佬族|毛南族|各族|联合|柯尔克孜)+(?=自治)/
const ENDINGS = /(特别行政区|自治区|自治州|自治县|自治旗|地区|林区|新区|省|市|盟|区|县|旗)$/

function short(name: string): string {
  const bare = name.replace(PEOPLES, '').replace(ENDINGS, '')
  // 城区, 郊区, 东区: nothing would be left to tell it by.
  return [...bare].length >= 2 ? bare : name
}

/** Every way in which a place is written: whole, short, as people say it, and what it is called beside that. */
function waysOf(divisions: Divisions, code: string): string[] {
  const name = divisions.nameOf(code) ?? ''
  const people = /自治([州县旗])$/.exec(name)?.[1]
  const said = people === undefined ? [] : [short(name) + people]
  return [...new Set([name, short(name), ...said, ...divisions.alsoCalled(code)])]
}

const madeOf = new WeakMap<Divisions, Districts>()

/** Made once for the divisions that hold. */
export function districtsOf(divisions: Divisions): Districts {
  const known = madeOf.get(divisions)
  if (known) return known
  const made = make(divisions)
  madeOf.set(divisions, made)
  return made
}

function make(divisions: Divisions): Districts {
  const exact = new Map<string, string>()
  const loose = new Map<string, string | null>()
  const undivided = new Map<string, string>()
  const names = { province: new Set<string>(), city: new Set<string>(), district: new Set<string>() }
  const add = (text: string, code: string) => {
    if (!exact.has(text)) exact.set(text, code)
  }
  const addLoose = (text: string, code: string) => {
    const before = loose.get(text)
    loose.set(text, before === undefined || before === code ? code : null)
  }
  for (const { code } of divisions.offered()) {
    if (code.length !== 6) continue
    const { province, city, district } = namesIn(divisions, code)
    names.province.add(province)
    names.city.add(city)
    names.district.add(district)
    const isUnwritten = UNWRITTEN.test(city) || city === province
    add(province + city + district, code)
    if (isUnwritten) {
      add(province + district, code)
      add(province + province + district, code)
    }
    // 东莞: the city is its own district.
    const isUndivided = city === district
    if (isUndivided) add(province + city, code)
    const cities = isUnwritten ? [] : waysOf(divisions, code.slice(0, 4))
    if (isUndivided || UNWRITTEN.test(city))
      for (const whole of [district, province + district, short(province) + district])
        undivided.set(whole, code)
    if (isUndivided) for (const p of [province, short(province)]) undivided.set(p + short(district), code)
    for (const p of [province, short(province)])
      for (const c of isUnwritten ? ['', p] : cities)
        for (const d of isUndivided ? ['', ...cities] : waysOf(divisions, code)) {
          if (c !== '' || d !== '') addLoose(p + c + d, code)
          if (c !== '') addLoose(c + d, code)
        }
  }
  /** A county of old is a district or a city of today: 密云县, 吴江市. */
  const looseOf = (text: string) => {
    const known = loose.get(text)
    return known === undefined ? (loose.get(text.replace(/[县市区]$/, '')) ?? null) : known
  }
  return {
    exact: text => exact.get(text.replace(BETWEEN, '')) ?? null,
    loose: text => looseOf(text.replace(BETWEEN, '')),
    ofAddress(address) {
      const text = address.replace(BETWEEN, '')
      for (let length = Math.min(text.length - 1, 24); length >= 3; length--) {
        const begun = text.slice(0, length)
        // 东莞市 is enough; of others so few letters say too little.
        const code = length === 3 ? undivided.get(begun) : (exact.get(begun) ?? looseOf(begun))
        if (code && (length > 3 || begun.endsWith('市'))) return { code, rest: text.slice(length) }
      }
      return null
    },
    ofUndivided(written) {
      const text = written.replace(BETWEEN, '')
      for (let length = text.length; length >= 2; length--) {
        const code = undivided.get(text.slice(0, length))
        if (code !== undefined) return { code, rest: text.slice(length) }
      }
      return null
    },
    namesOf: code => namesIn(divisions, code),
    provinceNames: names.province,
    cityNames: names.city,
    districtNames: names.district,
  }
}

function namesIn(divisions: Divisions, code: string) {
  const nameOf = (length: number) => divisions.nameOf(code.slice(0, length)) ?? ''
  return { province: nameOf(2), city: nameOf(4), district: nameOf(6) }
}
