// What the operator has set, remembered for a moment: a change anywhere clears it (NOTIFY settings_changed).
import { type Setting, within } from '#kit/declare/settings.ts'
import type { Ctx, Services, SettingsMemory } from '../ctx.ts'

const REMEMBER_MS = 5_000

type Values = ReadonlyMap<string, unknown>

/** Forgets after 5 s what no notification has cleared: the listening connection may be down. */
export function makeSettingsMemory(): SettingsMemory {
  let known: { values: Values; until: number } | null = null
  let generation = 0
  return {
    async read(client) {
      if (known && known.until > performance.now()) return known.values
      const startedIn = generation
      const { rows } = await client.query<{ key: string; value: unknown }>({
        name: 'office_settings',
        text: 'select key, value from office_settings',
      })
      const values = new Map(rows.map(({ key, value }) => [key, value]))
      if (startedIn === generation) known = { values, until: performance.now() + REMEMBER_MS }
      return values
    },
    forget() {
      generation++
      known = null
    },
  }
}

/** Any connection will do: nobody is kept from reading what holds. */
type Asking = { client: Ctx['client']; services: Pick<Services, 'settings'> }

/** The number that holds now; one that is out of its bounds, as after they were narrowed, is the nearest within. */
export async function settingOf(ctx: Asking, setting: Setting): Promise<number> {
  return within(setting, (await ctx.services.settings.memory.read(ctx.client)).get(setting.key))
}

/** The same within a statement, for what the database does by itself. Its key and bounds are our own words. */
export function settingInSql({ key, initial, min, max }: Setting): string {
  const kept = `(select value from office_settings where key = '${key}')`
  return `(select case when jsonb_typeof(kept.value) = 'number'
    then greatest(${min}, least(${max}, kept.value::text::numeric))::int else ${initial} end
    from (select ${kept} as value) as kept)`
}
