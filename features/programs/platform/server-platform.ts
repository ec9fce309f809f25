// The platform over this office's store: one of a program, so that who asks for a token at once asks once.
import type { MiniProgramPlatform } from '#kit/ports/mini-programs.ts'
import type { Services } from '#server/ctx.ts'
import { credentialStoreOf } from './server-store.ts'

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
