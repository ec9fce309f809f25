// The platform over this office's store: one of a program, so that who asks for a token at once asks once.
import { and, desc, isNotNull, like } from 'drizzle-orm'
import { AUTHORIZER_KEYS, type MiniProgram, type MiniProgramPlatform } from '#kit/ports/mini-programs.ts'
import type { Services } from '#server/ctx.ts'
import { readAsSystem } from '#server/system.ts'
import { credentialStoreOf } from './server-store.ts'
import { platformCredentials } from './tables.ts'

const made = new WeakMap<Services, MiniProgramPlatform>()

/** Null where no platform is connected. */
export function platformOf(services: Services): MiniProgramPlatform | null {
  const make = services.providers.miniPrograms
  if (!make) return null
  const known = made.get(services)
  if (known) return known
  const platform = make(credentialStoreOf(services))
  made.set(services, platform)
  return platform
}

/** The one that was authorised or renewed last, for what any of them may ask; null where there is none. */
export async function someProgram(services: Services): Promise<MiniProgram | null> {
  const platform = platformOf(services)
  if (!platform) return null
  const { key, sealed, changedAt } = platformCredentials
  const [row] = await readAsSystem(services, ({ db }) =>
    db
      .select({ key })
      .from(platformCredentials)
      .where(and(like(key, `${AUTHORIZER_KEYS}%`), isNotNull(sealed)))
      .orderBy(desc(changedAt))
      .limit(1),
  )
  return row ? platform.of(row.key.slice(AUTHORIZER_KEYS.length)) : null
}
